package io.offhook.calls.event;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;

/**
 * A SIP message as it was captured. Its bytes are borrowed: valid until the machine it is given to returns.
 *
 * @param callIdHash {@link io.offhook.sip.SipMessageView#callIdHash()}
 * @param timestampNs of the packet that completes the message, nanoseconds since the epoch
 * @param frameNumber of that packet, 1-based
 * @param segment where its bytes are
 * @param offset of its first byte
 * @param length bytes to the end of the datagram, or of the message in a stream
 * @param source who sent it
 * @param destination whom it was sent to
 * @param transport what carried it
 * @param ipIdentification of the packet, 0 to 65535; -1 where there is none (IPv6, streams)
 */
public record SipPacket(
        long callIdHash,
        long timestampNs,
        long frameNumber,
        MemorySegment segment,
        long offset,
        int length,
        Endpoint source,
        Endpoint destination,
        SipTransport transport,
        int ipIdentification) {}
