package io.offhook.calls.statistics;

/**
 * The figures of the calls that a signalling address sent, or received.
 *
 * @param address of a sender or receiver of INVITEs, without port
 * @param isReceiver whether the INVITEs went to it; false if they came from it
 * @param figures of these calls as a whole: how they ended, not what became of them on this hop
 */
public record TrunkFigures(String address, boolean isReceiver, CallFigures figures) {}
