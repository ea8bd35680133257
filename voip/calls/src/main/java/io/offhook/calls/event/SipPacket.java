package io.offhook.calls.event;

import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;

/**
 * A SIP message as it was captured. Its bytes are borrowed from whoever passes it.
 *
 * @param callIdHash {@link io.offhook.sip.SipMessageView#callIdHash()}
 * @param context when and where the packet that completes the message was captured
 * @param transport the transport that carried it
 * @param ipIdentification of the packet, 0 to 65535; -1 if there is none (IPv6, streams)
 * @param segment native memory with its bytes
 * @param offset of its first byte
 * @param length bytes to the end of the datagram, or of the message in a stream; of a message that the snap length cut,
 *     those of its whole lines
 */
public record SipPacket(
        long callIdHash,
        PacketContext context,
        SipTransport transport,
        int ipIdentification,
        MemorySegment segment,
        long offset,
        int length)
        implements CapturedPacket {

    /**
     * Bytes behind the message that were captured of the line in which the snap length cut it, 0 or more:
     * {@link PacketContext#cutLength()}.
     */
    public int cutLength() {
        return context.cutLength();
    }

    /** The same message with another frame number; the bytes stay where they are. */
    public SipPacket withFrameNumber(long number) {
        return new SipPacket(
                callIdHash, context.withFrameNumber(number), transport, ipIdentification, segment, offset, length);
    }
}
