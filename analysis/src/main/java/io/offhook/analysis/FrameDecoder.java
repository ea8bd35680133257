package io.offhook.analysis;

import io.offhook.calls.IcmpEvent;
import io.offhook.calls.RtcpPacket;
import io.offhook.calls.RtpEvents;
import io.offhook.calls.SipPacket;
import io.offhook.flow.FlowHash;
import io.offhook.packet.Endpoint;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.IcmpError;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.VlanView;
import io.offhook.rtp.PayloadType;
import io.offhook.rtp.RtcpReader;
import io.offhook.rtp.RtpView;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipText;
import java.lang.foreign.MemorySegment;

/**
 * Turns frames into events: finds the layers, tells by content what a datagram carries, and hands it to the shard that
 * works on it. Single-threaded; allocates nothing for RTP, TCP and what is of no interest.
 */
final class FrameDecoder {
    /** Version 2, no padding, no extension, no CSRC. */
    private static final int PLAIN_RTP = 0x80;

    private static final int RTP_HEADER = 12;

    /** The packet types of RTCP (RFC 5761, 4). */
    private static final int FIRST_RTCP = 192;

    private static final int LAST_RTCP = 223;

    /** RFC 8489, 5. */
    private static final int STUN_COOKIE = 0x2112a442;

    /** Where a reassembled datagram has no frame of its own. */
    static final int IN_MEMORY = -1;

    private final PacketWalker walker = new PacketWalker();
    private final PacketWalker quoted = new PacketWalker();
    private final IcmpError icmpError = new IcmpError();
    private final SipText sipText = new SipText();

    /** Of the fragments that the datagram came in; 0 for a frame. */
    private int carrierScope;

    /** Decodes all frames of a batch. One that makes this throw is counted, and passed over. */
    void decode(FrameBatch batch, BatchEvents out) {
        long before = out.counters.packets;
        int next = 0;
        while (next < batch.count()) {
            try {
                decodeFrom(next, batch, out);
                return;
            } catch (RuntimeException e) { // no bytes are to do that; if some do, the other packets still count
                next = (int) (out.counters.packets - before);
                out.counters.defect(e, batch.number(next - 1), batch.timestampNs(next - 1));
            }
        }
    }

    private void decodeFrom(int start, FrameBatch batch, BatchEvents out) {
        CaptureCounters counters = out.counters;
        int count = batch.count();
        for (int i = start; i < count; i++) {
            counters.packets++;
            int captured = batch.capturedLength(i);
            int wire = batch.wireLength(i);
            counters.capturedBytes += captured;
            MemorySegment segment = batch.segmentOf(i);
            PacketWalker.Stop stop = walker.walk(segment, batch.offset(i), captured, wire, batch.linkType(i));
            if (stop != PacketWalker.Stop.COMPLETE) {
                countStop(stop, counters, batch.number(i), batch.timestampNs(i));
            }
            if (captured < wire) {
                counters.snapped.add(batch.number(i), batch.timestampNs(i));
            }
            packet(segment, i, batch.timestampNs(i), batch.number(i), out);
        }
    }

    /**
     * Decodes a datagram that was put together from fragments; its bytes stay where they are until the round ends.
     *
     * @param last the fragment that completed it: its time and number are the datagram's, and so is its VLAN
     */
    void decodeDatagram(
            MemorySegment segment, int chunk, long offset, int length, FragmentEvent last, BatchEvents out) {
        long timestampNs = last.timestampNs();
        long number = last.frameNumber();
        carrierScope = last.scope();
        try {
            PacketWalker.Stop stop = walker.walk(segment, offset, length, length, LinkType.RAW);
            if (stop != PacketWalker.Stop.COMPLETE) {
                countStop(stop, out.counters, number, timestampNs);
            }
            packet(segment, IN_MEMORY - chunk, timestampNs, number, out);
        } catch (RuntimeException e) {
            out.counters.defect(e, number, timestampNs);
        } finally {
            carrierScope = 0;
        }
    }

    private void packet(MemorySegment segment, int frameIndex, long timestampNs, long number, BatchEvents out) {
        if (walker.outermostFragment() >= 0) {
            fragment(segment, timestampNs, number, out);
            return;
        }
        int transport = walker.transport();
        if (transport < 0) {
            return;
        }
        switch (walker.layerType(transport)) {
            case UDP -> udp(segment, timestampNs, number, out);
            case TCP -> tcp(frameIndex, walker.layerOffset(transport), timestampNs, number, out);
            case ICMP, ICMPV6 -> icmp(segment, timestampNs, number, out);
            default -> {
                // nothing that calls are made of
            }
        }
    }

    private static void countStop(PacketWalker.Stop stop, CaptureCounters counters, long number, long timestampNs) {
        switch (stop) {
            case TRUNCATED -> counters.truncated.add(number, timestampNs);
            case MALFORMED -> counters.malformed.add(number, timestampNs);
            case UNSUPPORTED -> counters.unsupported.add(number, timestampNs);
            case TOO_DEEP -> counters.tooDeep.add(number, timestampNs);
            case COMPLETE, REACHED -> {}
        }
    }

    /**
     * By the first byte: 128 to 191 is RTP or RTCP, 0 to 3 STUN (RFC 7983), a letter may be SIP. The first eight bytes
     * are read at once: reads of memory are what this costs, above all before it is compiled well.
     */
    private void udp(MemorySegment segment, long timestampNs, long number, BatchEvents out) {
        long offset = walker.payloadOffset();
        int length = walker.payloadLength();
        if (length < 8) {
            return;
        }
        long start = NetworkOrder.bits64(segment, offset);
        int first = (int) (start >>> 56);
        if (first >>> 6 == 2) {
            int second = (int) (start >>> 48) & 0xff;
            if (second >= FIRST_RTCP && second <= LAST_RTCP) {
                rtcp(segment, offset, length, timestampNs, number, out);
            } else if (first == PLAIN_RTP && length >= RTP_HEADER && !PayloadType.isReservedForRtcp(second & 0x7f)) {
                rtp(segment, offset, start, RTP_HEADER, 0, timestampNs, number, out);
            } else {
                rtpWithOptions(segment, offset, start, timestampNs, number, out);
            }
        } else if (first < 4 && length >= 20 && (int) start == STUN_COOKIE) {
            return; // known, and not needed: SDP names the candidates
        } else if (SipRecognizer.isMessageStart(segment, offset, length, sipText)) {
            sip(segment, offset, length, timestampNs, number, out);
        } else {
            out.counters.udpUnknown++;
        }
    }

    /** RTP with CSRCs, a header extension or padding (RFC 3550, 5.1), if it is RTP at all. */
    private void rtpWithOptions(
            MemorySegment segment, long offset, long start, long timestampNs, long number, BatchEvents out) {
        int length = walker.payloadLength();
        if (!RtpView.isPlausible(segment, offset, length, walker.payloadWireLength())) {
            out.counters.udpUnknown++;
            return;
        }
        int first = (int) (start >>> 56);
        int headerLength = RTP_HEADER + (first & 15) * 4;
        if ((first & 0x10) != 0 && headerLength + 4 <= length) {
            headerLength += 4 + 4 * NetworkOrder.u16(segment, offset + headerLength + 2);
        }
        int padding = (first & 0x20) != 0 && !walker.isSnapped() ? NetworkOrder.u8(segment, offset + length - 1) : 0;
        rtp(segment, offset, start, headerLength, padding, timestampNs, number, out);
    }

    private void rtp(
            MemorySegment segment,
            long offset,
            long start,
            int headerLength,
            int padding,
            long timestampNs,
            long number,
            BatchEvents out) {
        out.counters.rtpLike++;
        int rtpLength = walker.payloadWireLength();
        int payloadLength = Math.max(0, rtpLength - headerLength - padding);
        long head = payloadHead(segment, offset + headerLength, walker.payloadLength() - headerLength);
        long header = start << 32 | (start >>> 32 & 0xffff) << 16 | start >>> 48 & 0xff;
        long portsSsrc = (long) walker.sourcePort() << 48
                | (long) walker.destinationPort() << 32
                | NetworkOrder.u32(segment, offset + 8);
        int network = walker.network();
        long ip = walker.layerOffset(network);
        if (walker.layerType(network) == LayerType.IPV4) {
            long addresses = NetworkOrder.bits64(segment, ip + 12);
            long hash = RtpEvents.hash(addresses, portsSsrc);
            out.rtp[Shards.rtp(hash)].addIpv4(
                    hash,
                    timestampNs,
                    addresses,
                    portsSsrc,
                    header,
                    head,
                    payloadLength,
                    rtpLength,
                    NetworkOrder.u16(segment, ip + 4),
                    number);
        } else {
            rtpOverIpv6(segment, ip, timestampNs, portsSsrc, header, head, payloadLength, number, out);
        }
    }

    private void rtpOverIpv6(
            MemorySegment segment,
            long ip,
            long timestampNs,
            long portsSsrc,
            long header,
            long head,
            int payloadLength,
            long number,
            BatchEvents out) {
        long sourceHigh = NetworkOrder.bits64(segment, ip + 8);
        long sourceLow = NetworkOrder.bits64(segment, ip + 16);
        long destinationHigh = NetworkOrder.bits64(segment, ip + 24);
        long destinationLow = NetworkOrder.bits64(segment, ip + 32);
        long hash = RtpEvents.hash(sourceHigh, sourceLow, destinationHigh, destinationLow, portsSsrc);
        out.rtp[Shards.rtp(hash)].addIpv6(
                hash,
                timestampNs,
                sourceHigh,
                sourceLow,
                destinationHigh,
                destinationLow,
                portsSsrc,
                header,
                head,
                payloadLength,
                walker.payloadWireLength(),
                number);
    }

    /** The first eight payload bytes: what telephone events need (RFC 4733, 2.3). */
    private static long payloadHead(MemorySegment segment, long offset, int length) {
        if (length >= 8) {
            return NetworkOrder.bits64(segment, offset);
        }
        long head = 0;
        for (int i = 0; i < length; i++) {
            head |= (long) NetworkOrder.u8(segment, offset + i) << 56 - 8 * i;
        }
        return head;
    }

    private void rtcp(MemorySegment segment, long offset, int length, long timestampNs, long number, BatchEvents out) {
        if (!RtcpReader.isPlausible(segment, offset, length)) {
            out.counters.udpUnknown++;
            return;
        }
        out.counters.rtcp++;
        out.rtcp.add(new RtcpPacket(
                timestampNs, number, segment, offset, length, walker.payloadWireLength(), source(), destination()));
    }

    private void sip(MemorySegment segment, long offset, int length, long timestampNs, long number, BatchEvents out) {
        long ip = walker.layerOffset(walker.network());
        boolean ipv4 = walker.layerType(walker.network()) == LayerType.IPV4;
        int identification = ipv4 ? NetworkOrder.u16(segment, ip + 4) : -1;
        long hash = SipMessageView.callIdHash(sipText.octets(), 0, sipText.length());
        out.sip.add(new SipPacket(
                hash, timestampNs, number, segment, offset, length, source(), destination(), "UDP", identification));
    }

    private void tcp(int frameIndex, long tcpOffset, long timestampNs, long number, BatchEvents out) {
        int length = walker.payloadLength();
        int wireLength = walker.payloadWireLength();
        int flags = NetworkOrder.u8(walker.segment(), tcpOffset + 13);
        boolean opensOrCloses = (flags & 7) != 0;
        if (wireLength == 0 && !opensOrCloses) {
            return;
        }
        long sourceHigh = walker.sourceHigh();
        long sourceLow = walker.sourceLow();
        long destinationHigh = walker.destinationHigh();
        long destinationLow = walker.destinationLow();
        int sourcePort = walker.sourcePort();
        int destinationPort = walker.destinationPort();
        long hash = FlowHash.of(sourceHigh, sourceLow, sourcePort, destinationHigh, destinationLow, destinationPort, 6);
        int scope = scope();
        SegmentEvents events = out.tcp[Shards.tcp(hash)];
        int row = events.next();
        long[] rows = events.rows();
        rows[row + SegmentEvents.FRAME_INDEX] = frameIndex;
        rows[row + SegmentEvents.TCP_OFFSET] = tcpOffset;
        rows[row + SegmentEvents.PAYLOAD_OFFSET] = walker.payloadOffset();
        rows[row + SegmentEvents.PAYLOAD_LENGTHS] = (long) length << 32 | wireLength;
        rows[row + SegmentEvents.SOURCE_HIGH] = sourceHigh;
        rows[row + SegmentEvents.SOURCE_LOW] = sourceLow;
        rows[row + SegmentEvents.DESTINATION_HIGH] = destinationHigh;
        rows[row + SegmentEvents.DESTINATION_LOW] = destinationLow;
        rows[row + SegmentEvents.PORTS] = (long) sourcePort << 16 | destinationPort;
        rows[row + SegmentEvents.SCOPE] = scope;
        rows[row + SegmentEvents.TIMESTAMP] = timestampNs;
        rows[row + SegmentEvents.FRAME] = number;
    }

    private void fragment(MemorySegment segment, long timestampNs, long number, BatchEvents out) {
        int layer = walker.outermostFragment();
        out.fragments.add(new FragmentEvent(
                segment, walker.layerOffset(layer), walker.layerLength(layer), timestampNs, number, scope()));
    }

    private void icmp(MemorySegment segment, long timestampNs, long number, BatchEvents out) {
        if (!icmpError.find(walker)) {
            return;
        }
        quoted.walk(segment, icmpError.offset(), icmpError.length(), icmpError.wireLength(), LinkType.RAW);
        if (quoted.transport() < 0) {
            return;
        }
        out.icmp.add(new IcmpEvent(
                timestampNs,
                number,
                new Endpoint(walker.sourceHigh(), walker.sourceLow(), 0),
                new Endpoint(quoted.sourceHigh(), quoted.sourceLow(), quoted.sourcePort()),
                new Endpoint(quoted.destinationHigh(), quoted.destinationLow(), quoted.destinationPort()),
                quotedCallId(),
                icmpMeaning(walker.layerType(walker.transport()), icmpError.type(), icmpError.code())));
    }

    private long quotedCallId() {
        MemorySegment segment = quoted.segment();
        long offset = quoted.payloadOffset();
        int length = quoted.payloadLength();
        boolean udp = quoted.layerType(quoted.transport()) == LayerType.UDP;
        return udp && SipRecognizer.isMessageStart(segment, offset, length, sipText)
                ? SipMessageView.callIdHash(sipText.octets(), 0, sipText.length())
                : 0;
    }

    /** RFC 792, RFC 1122 3.2.2.1 and RFC 4443, in words. */
    private static String icmpMeaning(LayerType layer, int type, int code) {
        boolean v6 = layer == LayerType.ICMPV6;
        int unreachable = v6 ? 1 : 3;
        int timeExceeded = v6 ? 3 : 11;
        if (type == unreachable) {
            int port = v6 ? 4 : 3;
            int host = v6 ? 3 : 1;
            boolean prohibited = v6 ? code == 1 : code == 9 || code == 10 || code == 13;
            return code == port
                    ? "port unreachable"
                    : code == host ? "host unreachable" : prohibited ? "administratively prohibited" : "unreachable";
        }
        if (type == timeExceeded) {
            return code == 1 ? "fragments not put together in time" : "time to live exceeded";
        }
        return v6 && type == 2 ? "packet too big" : "error " + type + "/" + code;
    }

    private int scope() {
        return carrierScope != 0 ? carrierScope : VlanView.scope(walker);
    }

    private Endpoint source() {
        return new Endpoint(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort());
    }

    private Endpoint destination() {
        return new Endpoint(walker.destinationHigh(), walker.destinationLow(), walker.destinationPort());
    }
}
