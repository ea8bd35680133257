package io.offhook.calls.event;

import io.offhook.packet.Endpoint;

/**
 * When and where a packet was captured.
 *
 * @param timestampNs nanoseconds since the epoch
 * @param frameNumber 1-based
 * @param source the sender
 * @param destination the receiver
 * @param cutLength bytes that were captured behind what can be used of a packet that the snap length cut, 0 or more
 * @param isByAgent whether an agent captured it and sent it by HEP, so that the media beside it need not be in the capture
 */
public record PacketContext(
        long timestampNs, long frameNumber, Endpoint source, Endpoint destination, int cutLength, boolean isByAgent) {

    /** Of a packet of this capture, of which all that was captured can be used. */
    public PacketContext(long timestampNs, long frameNumber, Endpoint source, Endpoint destination) {
        this(timestampNs, frameNumber, source, destination, 0, false);
    }

    /** The same context with another frame number. */
    public PacketContext withFrameNumber(long number) {
        return new PacketContext(timestampNs, number, source, destination, cutLength, isByAgent);
    }

    /** The same context of a packet that was cut. */
    public PacketContext withCutLength(int length) {
        return new PacketContext(timestampNs, frameNumber, source, destination, length, isByAgent);
    }

    /** The same context of a packet that an agent captured. */
    public PacketContext byAgent() {
        return new PacketContext(timestampNs, frameNumber, source, destination, cutLength, true);
    }
}
