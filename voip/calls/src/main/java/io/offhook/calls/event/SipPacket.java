package io.offhook.calls.event;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;

/**
 * A SIP message as it was captured. Its bytes are borrowed from whoever passes it.
 *
 * @param callIdHash {@link io.offhook.sip.SipMessageView#callIdHash()}
 * @param timestampNs of the packet that completes the message, nanoseconds since the epoch
 * @param frameNumber of that packet, 1-based
 * @param segment native memory with its bytes
 * @param offset of its first byte
 * @param length bytes to the end of the datagram, or of the message in a stream
 * @param source the sender
 * @param destination the receiver
 * @param transport the transport that carried it
 * @param ipIdentification of the packet, 0 to 65535; -1 if there is none (IPv6, streams)
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
