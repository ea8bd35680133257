package io.offhook.analysis;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.flow.FlowHash;
import io.offhook.packet.Endpoint;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.LittleEndian;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.transport.SctpChunks;
import io.offhook.packet.walk.IcmpError;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.rtp.RtpRows;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipText;
import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Turns frames into events: decodes the layers, classifies each datagram by content, and adds it to the list of its
 * shard. Single-threaded; allocates nothing for RTP, TCP and unrelated packets.
 */
final class FrameDecoder {
    private static final FrameSink[] NOBODY = {};

    /** Stands for the frame index of a reassembled datagram. */
    static final int IN_MEMORY = -1;

    private final PacketWalker walker = new PacketWalker();
    private final PacketWalker quoted = new PacketWalker();
    private final IcmpError icmpError = new IcmpError();
    private final Recognizer recognizer = new Recognizer();
    /** The text of the packet that an ICMP error quotes. */
    private final SipText sipText = new SipText();

    private final SipMessageView cutMessage = new SipMessageView();
    private final SctpChunks chunks = new SctpChunks();
    private final HepPackets hep = new HepPackets();

    /** Whether to add rows for TCP segments without payload as well. */
    private final boolean isTraced;

    private final FrameSink[] sinks;
    private @Nullable DecodedFrame frame;

    /** The scope of the fragments of a reassembled datagram; 0 for a frame. */
    private int carrierScope;

    FrameDecoder() {
        this(false, NOBODY);
    }

    /**
     * @param isTraced whether to add rows for TCP segments without payload as well
     * @param sinks receive each frame
     */
    FrameDecoder(boolean isTraced, FrameSink[] sinks) {
        this.isTraced = isTraced;
        this.sinks = sinks;
    }

    /** Decodes all frames of a batch. A frame at which this fails is counted and skipped. */
    void decode(FrameBatch batch, BatchEvents out) {
        for (int i = 0; i < batch.count(); i++) {
            out.latestNs = Math.max(out.latestNs, batch.timestampNs(i));
        }
        long before = out.counters.packets;
        int next = 0;
        while (next < batch.count()) {
            try {
                if (sinks.length == 0) {
                    decodeFrom(next, batch, out);
                } else {
                    decodeForSinks(next, batch, out);
                }
                return;
            } catch (RunEndedException e) {
                throw e;
            } catch (RuntimeException e) { // a bug in this library: the other packets still count
                next = (int) (out.counters.packets - before);
                out.counters.defect(e, batch.number(next - 1), batch.timestampNs(next - 1));
            }
        }
    }

    private void decodeFrom(int start, FrameBatch batch, BatchEvents out) {
        int count = batch.count();
        for (int i = start; i < count; i++) {
            decodeFrame(batch, i, out);
        }
    }

    private void decodeForSinks(int start, FrameBatch batch, BatchEvents out) {
        DecodedFrame at = frame;
        if (at == null) {
            at = new DecodedFrame(walker, recognizer, batch);
            frame = at;
        }
        for (int i = start; i < batch.count(); i++) {
            at.decoded(batch, i, decodeFrame(batch, i, out));
            for (FrameSink sink : sinks) {
                try {
                    sink.frame(at);
                } catch (RuntimeException e) {
                    RunEndedException.throwIf(sink.endsRun(e), e);
                    out.counters.failures.add(Failures.Kind.CONSUMER, e, at.number(), at.timestampNs());
                }
            }
        }
    }

    private Payload decodeFrame(FrameBatch batch, int i, BatchEvents out) {
        CaptureCounters counters = out.counters;
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
        return packet(segment, i, batch.timestampNs(i), batch.number(i), out);
    }

    /**
     * Decodes a reassembled datagram, whose bytes stay in place until the round ends.
     *
     * @param last the fragment that completed it, whose time, number and VLAN apply to the datagram
     * @return what it carries
     */
    Payload decodeDatagram(
            MemorySegment segment, int chunk, long offset, int length, FragmentEvent last, BatchEvents out) {
        long timestampNs = last.timestampNs();
        long number = last.frameNumber();
        carrierScope = last.scope();
        try {
            PacketWalker.Stop stop = walker.walk(segment, offset, length, length, LinkType.RAW);
            if (stop != PacketWalker.Stop.COMPLETE) {
                countStop(stop, out.counters, number, timestampNs);
            }
            return packet(segment, IN_MEMORY - chunk, timestampNs, number, out);
        } catch (RuntimeException e) {
            out.counters.defect(e, number, timestampNs);
            return Payload.OTHER;
        } finally {
            carrierScope = 0;
        }
    }

    private Payload packet(MemorySegment segment, int frameIndex, long timestampNs, long number, BatchEvents out) {
        if (walker.outermostFragment() >= 0) {
            fragment(segment, timestampNs, number, out);
            return Payload.FRAGMENT;
        }
        int transport = walker.transport();
        if (transport < 0) {
            return Payload.OTHER;
        }
        return switch (walker.layerType(transport)) {
            case UDP -> udp(segment, timestampNs, number, out);
            case TCP -> {
                tcp(frameIndex, walker.layerOffset(transport), timestampNs, number, out);
                yield Payload.TCP;
            }
            case ICMP, ICMPV6 -> {
                icmp(segment, timestampNs, number, out);
                yield Payload.ICMP;
            }
            case SCTP -> sctp(segment, timestampNs, number, out);
            default -> Payload.OTHER; // not used by calls
        };
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

    private Payload udp(MemorySegment segment, long timestampNs, long number, BatchEvents out) {
        long offset = walker.payloadOffset();
        int length = walker.payloadLength();
        if (length < Recognizer.LEAST_LENGTH) {
            return Payload.OTHER;
        }
        long start = NetworkOrder.bits64(segment, offset);
        Payload payload = recognizer.udp(segment, offset, length, walker.payloadWireLength(), start);
        if (payload == Payload.RTP) {
            if (start >>> 56 == Recognizer.PLAIN_RTP) {
                rtp(segment, offset, start, Recognizer.RTP_HEADER, 0, timestampNs, number, out);
            } else {
                rtpWithOptions(segment, offset, start, timestampNs, number, out);
            }
        } else if (payload == Payload.SIP) {
            sip(segment, offset, timestampNs, number, out);
        } else if (payload == Payload.RTCP) {
            rtcp(segment, offset, length, timestampNs, number, out);
        } else {
            carrier(payload, segment, offset, start, timestampNs, number, out);
        }
        return payload;
    }

    /** What carries other packets, says where these go, or is not understood. */
    private void carrier(
            Payload payload,
            MemorySegment segment,
            long offset,
            long start,
            long timestampNs,
            long number,
            BatchEvents out) {
        switch (payload) {
            case TURN -> carried(CarriedStage.Packet.Kind.TURN, segment, offset, timestampNs, number, out);
            case STUN -> { // candidates of ICE are named in SDP
                if (TurnRelays.isOfUse((int) (start >>> 48))) {
                    carried(CarriedStage.Packet.Kind.TURN, segment, offset, timestampNs, number, out);
                }
            }
            case HEP -> {
                if (!hep.packet(segment, offset, walker.payloadLength(), number, timestampNs, out)) {
                    carried(CarriedStage.Packet.Kind.HEP, segment, offset, timestampNs, number, out);
                }
            }
            default -> out.counters.udpUnknown.add(number, timestampNs);
        }
    }

    private Payload sctp(MemorySegment segment, long timestampNs, long number, BatchEvents out) {
        long offset = walker.layerOffset(walker.transport());
        int length = (int) (walker.payloadOffset() - offset) + walker.payloadLength();
        if (!SctpMessages.mayCarrySip(chunks, segment, offset, length)) {
            return Payload.OTHER;
        }
        out.carried.add(new CarriedStage.Packet(
                CarriedStage.Packet.Kind.SCTP, segment, offset, length, length, context(walker, timestampNs, number)));
        return Payload.SCTP;
    }

    private void carried(
            CarriedStage.Packet.Kind kind,
            MemorySegment segment,
            long offset,
            long timestampNs,
            long number,
            BatchEvents out) {
        out.carried.add(new CarriedStage.Packet(
                kind,
                segment,
                offset,
                walker.payloadLength(),
                walker.payloadWireLength(),
                context(walker, timestampNs, number)));
    }

    /** RTP with CSRCs, a header extension or padding (RFC 3550, 5.1). */
    private void rtpWithOptions(
            MemorySegment segment, long offset, long start, long timestampNs, long number, BatchEvents out) {
        int length = walker.payloadLength();
        int headerLength = Recognizer.rtpHeaderLength(segment, offset, length, start);
        int padding = Recognizer.rtpPadding(segment, offset, length, walker.payloadWireLength(), start);
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
        long head = Recognizer.payloadHead(segment, offset + headerLength, walker.payloadLength() - headerLength);
        long header = Recognizer.rtpRow(start);
        long portsSsrc = (long) walker.sourcePort() << 48
                | (long) walker.destinationPort() << 32
                | NetworkOrder.u32(segment, offset + 8);
        int network = walker.network();
        long ip = walker.layerOffset(network);
        if (walker.layerType(network) == LayerType.IPV4) {
            long addresses = LittleEndian.bits64(segment, ip + Ipv4View.SOURCE);
            long hash = RtpRows.hash(addresses, portsSsrc);
            RtpRows rows = out.rtp[Shards.rtp(hash)];
            long lengths = RtpRows.lengths(payloadLength, rtpLength, walker.identification());
            rows.ipv4(rows.add(timestampNs, number, header, head, lengths), hash, addresses, portsSsrc);
        } else {
            long sourceHigh = walker.sourceHigh();
            long sourceLow = walker.sourceLow();
            long destinationHigh = walker.destinationHigh();
            long destinationLow = walker.destinationLow();
            long hash = RtpRows.hash(sourceHigh, sourceLow, destinationHigh, destinationLow, portsSsrc);
            RtpRows rows = out.rtp[Shards.rtp(hash)];
            int row = rows.add(timestampNs, number, header, head, RtpRows.lengthsOfIpv6(payloadLength, rtpLength));
            rows.ipv6(row, hash, portsSsrc);
            rows.wide(row, sourceHigh, sourceLow, destinationHigh, destinationLow);
        }
    }

    private void rtcp(MemorySegment segment, long offset, int length, long timestampNs, long number, BatchEvents out) {
        out.counters.rtcp++;
        out.rtcp.add(new RtcpPacket(
                context(walker, timestampNs, number), segment, offset, length, walker.payloadWireLength()));
    }

    private void sip(MemorySegment segment, long offset, long timestampNs, long number, BatchEvents out) {
        SipText text = recognizer.text();
        if (walker.isSnapped() && !isEnough(text)) {
            out.counters.sipPartial.add(number, timestampNs);
            return;
        }
        out.hasCutHeaders |= walker.isSnapped() && !Recognizer.hasWholeHeaders(text);
        PacketContext context = context(walker, timestampNs, number);
        out.sip.add(new SipPacket(
                SipMessageView.callIdHash(text.octets(), 0, text.length()),
                walker.isSnapped() ? context.withCutLength(walker.payloadLength() - text.length()) : context,
                SipTransport.UDP,
                walker.identification(),
                segment,
                offset,
                text.length()));
    }

    /** Whether the complete lines of a message that was cut have its start line and its Via. */
    private boolean isEnough(SipText text) {
        return text.length() > 0
                && cutMessage.wrap(text.octets(), 0, text.length()) != WrapStatus.MALFORMED
                && !cutMessage.topViaSentBy().isEmpty();
    }

    private void tcp(int frameIndex, long tcpOffset, long timestampNs, long number, BatchEvents out) {
        int length = walker.payloadLength();
        int wireLength = walker.payloadWireLength();
        int flags = NetworkOrder.u8(walker.segment(), tcpOffset + 13);
        boolean opensOrCloses = (flags & 7) != 0;
        if (wireLength == 0 && !opensOrCloses && !isTraced) {
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
        int ipVersion = walker.layerType(walker.transport()) == LayerType.ICMPV6 ? 6 : 4;
        out.icmp.add(new IcmpEvent(
                timestampNs,
                number,
                new Endpoint(walker.sourceHigh(), walker.sourceLow(), 0),
                new Endpoint(quoted.sourceHigh(), quoted.sourceLow(), quoted.sourcePort()),
                new Endpoint(quoted.destinationHigh(), quoted.destinationLow(), quoted.destinationPort()),
                quotedCallId(),
                new IcmpEvent.Message(ipVersion, icmpError.type(), icmpError.code())));
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

    private int scope() {
        return carrierScope != 0 ? carrierScope : walker.scope();
    }

    /** Where and when a packet with a transport was captured. */
    static PacketContext context(PacketWalker walker, long timestampNs, long number) {
        return new PacketContext(
                timestampNs,
                number,
                new Endpoint(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort()),
                new Endpoint(walker.destinationHigh(), walker.destinationLow(), walker.destinationPort()));
    }
}
