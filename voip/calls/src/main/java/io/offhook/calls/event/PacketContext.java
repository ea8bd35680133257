package io.offhook.calls.event;

import io.offhook.packet.Endpoint;

/**
 * When and where a packet was captured.
 *
 * @param timestampNs nanoseconds since the epoch
 * @param frameNumber 1-based
 * @param source the sender
 * @param destination the receiver
 */
public record PacketContext(long timestampNs, long frameNumber, Endpoint source, Endpoint destination) {

    /** The same context with another frame number. */
    public PacketContext withFrameNumber(long number) {
        return new PacketContext(timestampNs, number, source, destination);
    }
}
