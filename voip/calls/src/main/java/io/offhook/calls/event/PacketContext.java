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
 */
public record PacketContext(long timestampNs, long frameNumber, Endpoint source, Endpoint destination, int cutLength) {

    /** Of a packet of which all that was captured can be used. */
    public PacketContext(long timestampNs, long frameNumber, Endpoint source, Endpoint destination) {
        this(timestampNs, frameNumber, source, destination, 0);
    }

    /** The same context with another frame number. */
    public PacketContext withFrameNumber(long number) {
        return new PacketContext(timestampNs, number, source, destination, cutLength);
    }

    /** The same context of a packet that was cut. */
    public PacketContext withCutLength(int length) {
        return new PacketContext(timestampNs, frameNumber, source, destination, length);
    }
}
