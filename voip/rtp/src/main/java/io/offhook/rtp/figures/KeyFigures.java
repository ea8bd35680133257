package io.offhook.rtp.figures;

import java.util.List;

/**
 * Key presses and other events (RFC 4733).
 *
 * @param presses the first 256
 * @param packets of events, repetitions included
 * @param dropped packets of further events
 * @param malformed packets too short to contain one
 */
public record KeyFigures(List<Press> presses, int packets, int dropped, int malformed) {
    /** Copies the list. */
    public KeyFigures {
        presses = List.copyOf(presses);
    }

    /**
     * An event, as {@code io.offhook.rtp.TelephoneEvent} has it.
     *
     * @param event 0 to 9 the digits, and so on
     * @param startedNs the arrival of its first packet, nanoseconds since the epoch
     * @param timestamp of all its packets, 32 bits
     * @param length of the event
     * @param volume in -dBm0, 0 to 63
     * @param isEnded whether its end was captured
     * @param packets of it
     */
    public record Press(
            int event, long startedNs, int timestamp, Length length, int volume, boolean isEnded, int packets) {}

    /**
     * The length of an event.
     *
     * @param ticks the longest that was seen
     * @param clockRate of these, in Hz
     */
    public record Length(long ticks, int clockRate) {}
}
