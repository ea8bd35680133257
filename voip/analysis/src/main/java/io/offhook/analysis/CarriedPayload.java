package io.offhook.analysis;

import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.packet.NetworkOrder;
import io.offhook.rtp.RtpRows;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipText;
import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;

/**
 * Adds what another protocol carried, SIP, RTP or RTCP, as if it had been captured between the endpoints that this
 * protocol names. Single-threaded.
 */
final class CarriedPayload {
    private final Recognizer recognizer = new Recognizer();

    /**
     * Adds a datagram that is SIP, RTP or RTCP by content.
     *
     * @param length captured bytes
     * @param wireLength bytes that were sent
     * @return what it is; anything else is not added
     */
    Payload add(
            MemorySegment segment, long offset, int length, int wireLength, PacketContext context, BatchEvents out) {
        if (length < Recognizer.LEAST_LENGTH) {
            return Payload.OTHER;
        }
        long start = NetworkOrder.bits64(segment, offset);
        Payload payload = recognizer.udp(segment, offset, length, wireLength, start);
        switch (payload) {
            case RTP -> rtp(segment, offset, length, wireLength, start, context, out);
            case RTCP -> {
                out.counters.rtcp++;
                out.rtcp.add(new RtcpPacket(context, segment, offset, length, wireLength));
            }
            case SIP -> sip(segment, offset, length, SipTransport.UDP, context, out);
            default -> {}
        }
        return payload;
    }

    /** Adds a SIP message; false if the bytes are none. */
    boolean addSip(
            MemorySegment segment,
            long offset,
            int length,
            SipTransport transport,
            PacketContext context,
            BatchEvents out) {
        if (length < Recognizer.LEAST_LENGTH || !recognizer.isSip(segment, offset, length)) {
            return false;
        }
        sip(segment, offset, length, transport, context, out);
        return true;
    }

    /** The text that was recognized last. */
    private void sip(
            MemorySegment segment,
            long offset,
            int length,
            SipTransport transport,
            PacketContext context,
            BatchEvents out) {
        SipText text = recognizer.text();
        long hash = SipMessageView.callIdHash(text.octets(), 0, text.length());
        out.hasCutHeaders |= !Recognizer.hasWholeHeaders(text);
        out.sip.add(new SipPacket(hash, context, transport, -1, segment, offset, length));
    }

    private static void rtp(
            MemorySegment segment,
            long offset,
            int length,
            int wireLength,
            long start,
            PacketContext context,
            BatchEvents out) {
        out.counters.rtpLike++;
        int headerLength = Recognizer.rtpHeaderLength(segment, offset, length, start);
        int padding = Recognizer.rtpPadding(segment, offset, length, wireLength, start);
        int payloadLength = Math.max(0, wireLength - headerLength - padding);
        long head = Recognizer.payloadHead(segment, offset + headerLength, length - headerLength);
        long lengths = RtpRows.lengthsOfCarried(payloadLength, wireLength);
        Endpoint source = context.source();
        Endpoint destination = context.destination();
        long portsSsrc = (long) source.port() << 48
                | (long) destination.port() << 32
                | NetworkOrder.u32(segment, offset + Recognizer.RTP_SSRC);
        long header = Recognizer.rtpRow(start);
        if (source.isIpv4() && destination.isIpv4()) {
            long addresses = RtpRows.addresses(source.low(), destination.low());
            long hash = RtpRows.hash(addresses, portsSsrc);
            RtpRows rows = out.rtp[Shards.rtp(hash)];
            int row = rows.add(context.timestampNs(), context.frameNumber(), header, head, lengths);
            rows.ipv4(row, hash, addresses, portsSsrc);
        } else {
            long hash = RtpRows.hash(source.high(), source.low(), destination.high(), destination.low(), portsSsrc);
            RtpRows rows = out.rtp[Shards.rtp(hash)];
            int row = rows.add(context.timestampNs(), context.frameNumber(), header, head, RtpRows.wide(lengths));
            rows.ipv6(row, hash, portsSsrc);
            rows.wide(row, source.high(), source.low(), destination.high(), destination.low());
        }
    }
}
