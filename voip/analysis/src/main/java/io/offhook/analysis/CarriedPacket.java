package io.offhook.analysis;

import io.offhook.calls.event.PacketContext;
import java.lang.foreign.MemorySegment;

/**
 * A packet of a protocol that carries SIP or media for others, in the batch that is being read. What it means depends on
 * packets before it.
 *
 * @param kind what it is
 * @param segment with its bytes, until the end of the round
 * @param offset of the payload of its transport
 * @param length captured bytes of that payload
 * @param wireLength bytes of it that were sent
 * @param context when and where it was captured
 */
record CarriedPacket(
        Kind kind, MemorySegment segment, long offset, int length, int wireLength, PacketContext context) {

    /** What carries. */
    enum Kind {
        /** TURN: a channel, an indication, or a message that says what they stand for (RFC 8656). */
        TURN,
        /** Chunks of SCTP with data of no registered protocol, which is what SIP is sent as (RFC 4168). */
        SCTP
    }
}
