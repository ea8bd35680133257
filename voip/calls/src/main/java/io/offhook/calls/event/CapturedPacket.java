package io.offhook.calls.event;

import io.offhook.packet.Endpoint;

/** A packet with its {@link PacketContext}, which can be read from it directly. */
public sealed interface CapturedPacket permits SipPacket, RtcpPacket {
    /** When and where it was captured; for a message in several packets, those of the packet that completes it. */
    PacketContext context();

    /** The time of capture, nanoseconds since the epoch. */
    default long timestampNs() {
        return context().timestampNs();
    }

    /** The number of the frame, 1-based. */
    default long frameNumber() {
        return context().frameNumber();
    }

    /** The sender. */
    default Endpoint source() {
        return context().source();
    }

    /** The receiver. */
    default Endpoint destination() {
        return context().destination();
    }
}
