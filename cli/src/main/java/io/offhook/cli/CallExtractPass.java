package io.offhook.cli;

import io.offhook.calls.CallReport;
import io.offhook.flow.FragmentLimits;
import io.offhook.flow.FragmentTable;
import io.offhook.flow.TcpLimits;
import io.offhook.flow.TcpStreams;
import io.offhook.packet.Endpoint;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.IcmpError;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.VlanView;
import io.offhook.packet.WrapStatus;
import io.offhook.pcap.PacketSource;
import io.offhook.rtp.RtcpReader;
import io.offhook.rtp.RtpView;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Goes through a capture once more and notes the frames of some calls: their SIP with all fragments and TCP segments, the
 * RTP and RTCP of their streams, and ICMP errors about them. Single-threaded.
 */
final class CallExtractPass implements AutoCloseable {
    private static final int BATCH_FRAMES = 4096;
    /** Datagrams with TCP in several fragments, of which the frames are remembered. */
    private static final int MAX_SPREAD = 1 << 16;

    /** The calls of each Call-ID. */
    private final Map<String, List<Integer>> callIds = new HashMap<>();
    /** Of the packet or message at hand. */
    private final CallExtractHits hits = new CallExtractHits();

    private final CallExtractMedia media;
    private final CallExtractFrames frames;
    private final CallExtractFragments pieces = new CallExtractFragments();
    private final FragmentTable fragments = new FragmentTable(FragmentLimits.DEFAULT, this::beginning);
    private final CallExtractStreams streams;
    private final TcpStreams tcp;
    private final PacketWalker walker = new PacketWalker();
    private final PacketWalker inner = new PacketWalker();
    private final IcmpError icmpError = new IcmpError();
    private final SipMessageView message = new SipMessageView();
    private final SipText text = new SipText();
    /** The frames of TCP segments that came in fragments, by the frame that completed them. */
    private final Map<Long, long[]> spread = new HashMap<>();

    private CallExtractPass(List<CallReport> calls, CallExtractFrames frames) {
        this.frames = frames;
        for (int i = 0; i < calls.size(); i++) {
            callIds.computeIfAbsent(calls.get(i).callId(), _ -> new ArrayList<>(1))
                    .add(i);
        }
        media = new CallExtractMedia(calls, hits);
        streams = new CallExtractStreams(this::isWanted, hits, frames);
        tcp = new TcpStreams(TcpLimits.DEFAULT, streams);
    }

    /**
     * Reads the source to its end.
     *
     * @param isByCall whether it is to be known which frame is of which call
     */
    static CallExtractFrames run(PacketSource source, List<CallReport> calls, boolean isByCall) {
        try (CallExtractPass pass = new CallExtractPass(calls, new CallExtractFrames(isByCall))) {
            FrameBatch batch = new FrameBatch(BATCH_FRAMES);
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    pass.frame(batch, i);
                }
            }
            pass.fragments.flush();
            pass.tcp.flush();
            pass.streams.finish();
            pass.addSpread();
            return pass.frames;
        }
    }

    private void frame(FrameBatch batch, int i) {
        walker.walk(
                batch.segmentOf(i), batch.offset(i), batch.capturedLength(i), batch.wireLength(i), batch.linkType(i));
        long number = batch.number(i);
        long timestampNs = batch.timestampNs(i);
        int scope = VlanView.scope(walker);
        if (walker.outermostFragment() >= 0) {
            fragment(walker, timestampNs, new long[] {number}, number, scope);
        } else if (packet(walker, timestampNs, number, scope)) {
            frames.add(number, hits);
        }
    }

    /** A fragment of a frame, or of a datagram that was put together: its own datagram may now be whole. */
    private void fragment(PacketWalker of, long timestampNs, long[] carriers, long number, int scope) {
        int layer = of.outermostFragment();
        FragmentTable.Result result =
                fragments.add(of.segment(), of.layerOffset(layer), of.layerLength(layer), timestampNs, number, scope);
        if (result == FragmentTable.Result.DROPPED) {
            return;
        }
        boolean isWhole = result == FragmentTable.Result.COMPLETE;
        long[] all = pieces.add(of, layer, scope, carriers, isWhole);
        if (!isWhole) {
            return;
        }
        int length = fragments.datagramLength();
        inner.walk(fragments.datagram(), fragments.datagramOffset(), length, length, LinkType.RAW);
        // the datagram is of the VLAN that its fragments were in, as if one frame had carried it
        int innerScope = scope != 0 ? scope : VlanView.scope(inner);
        if (inner.outermostFragment() >= 0) {
            if (all.length <= MAX_SPREAD) {
                innerFragment(timestampNs, all, number, innerScope);
            }
            return;
        }
        if (packet(inner, timestampNs, number, innerScope)) {
            addAll(all);
        } else if (isTcp(inner) && spread.size() < MAX_SPREAD) {
            spread.put(number, all);
        }
    }

    /** A datagram stays incomplete: SIP in it is known from its first fragments, and these were captured. */
    private boolean beginning(
            MemorySegment segment, long offset, int length, int wireLength, long timestampNs, long frameNumber) {
        inner.walk(segment, offset, length, wireLength, LinkType.RAW);
        int transport = inner.transport();
        hits.clear();
        if (inner.outermostFragment() < 0
                && transport >= 0
                && inner.layerType(transport) == LayerType.UDP
                && isSip(inner)) {
            addAll(pieces.with(frameNumber));
        }
        return false;
    }

    private boolean isSip(PacketWalker of) {
        long at = of.payloadOffset();
        int length = of.payloadLength();
        return SipRecognizer.isMessageStart(of.segment(), at, length, text)
                && isWanted(text.octets(), 0, text.length());
    }

    /** A datagram in a tunnel was a fragment itself; what it lies in is overwritten by the next one, so it is copied. */
    private void innerFragment(long timestampNs, long[] carriers, long number, int scope) {
        try (Arena arena = Arena.ofConfined()) {
            int length = fragments.datagramLength();
            MemorySegment copy = arena.allocate(length);
            MemorySegment.copy(fragments.datagram(), fragments.datagramOffset(), copy, 0, length);
            PacketWalker own = new PacketWalker();
            own.walk(copy, 0, length, length, LinkType.RAW);
            fragment(own, timestampNs, carriers, number, scope);
        }
    }

    /** Whether the packet belongs to the calls. Of TCP that is known when its stream has been told of it. */
    private boolean packet(PacketWalker of, long timestampNs, long number, int scope) {
        int transport = of.transport();
        hits.clear();
        if (transport < 0) {
            return false;
        }
        return switch (of.layerType(transport)) {
            case UDP -> udp(of, timestampNs, number);
            case TCP -> {
                tcp(of, timestampNs, number, scope);
                yield false;
            }
            case ICMP, ICMPV6 -> icmp(of, timestampNs);
            default -> false;
        };
    }

    private boolean udp(PacketWalker of, long timestampNs, long number) {
        MemorySegment segment = of.segment();
        long at = of.payloadOffset();
        int length = of.payloadLength();
        if (length < 8) {
            return false;
        }
        if (NetworkOrder.u8(segment, at) >>> 6 != 2) {
            return isSip(of);
        }
        if (media.isEmpty()) {
            return false;
        }
        if (RtcpReader.isPlausible(segment, at, length)) {
            media.rtcp(source(of), destination(of), segment, at, length, timestampNs);
        } else if (RtpView.isPlausible(segment, at, length, of.payloadWireLength())) {
            media.rtp(source(of), destination(of), NetworkOrder.u32(segment, at + 8), number, timestampNs);
        }
        return !hits.isEmpty();
    }

    private boolean isWanted(byte[] octets, int offset, int length) {
        hits.clear();
        if (message.wrap(octets, offset, length) != WrapStatus.MALFORMED) {
            callIds.getOrDefault(message.callId(), List.of()).forEach(hits::add);
        }
        return !hits.isEmpty();
    }

    private void tcp(PacketWalker of, long timestampNs, long number, int scope) {
        streams.packet(source(of), destination(of), scope, number);
        tcp.segment(
                of.segment(),
                of.sourceHigh(),
                of.sourceLow(),
                of.sourcePort(),
                of.destinationHigh(),
                of.destinationLow(),
                of.destinationPort(),
                of.layerOffset(of.transport()),
                of.payloadOffset(),
                of.payloadLength(),
                of.payloadWireLength(),
                timestampNs,
                number,
                scope);
    }

    private boolean icmp(PacketWalker of, long timestampNs) {
        if (!icmpError.find(of)) {
            return false;
        }
        PacketWalker quoted = new PacketWalker();
        quoted.walk(icmpError.segment(), icmpError.offset(), icmpError.length(), icmpError.wireLength(), LinkType.RAW);
        if (quoted.transport() >= 0) {
            media.icmp(source(quoted), destination(quoted), timestampNs);
        }
        return !hits.isEmpty();
    }

    /** The other frames of datagrams of which the last one was taken. */
    private void addSpread() {
        for (Map.Entry<Long, long[]> datagram : spread.entrySet()) {
            if (frames.contains(datagram.getKey())) {
                frames.addAlike(datagram.getKey(), datagram.getValue());
            }
        }
    }

    private void addAll(long[] numbers) {
        for (long number : numbers) {
            frames.add(number, hits);
        }
    }

    private static boolean isTcp(PacketWalker of) {
        return of.transport() >= 0 && of.layerType(of.transport()) == LayerType.TCP;
    }

    private static Endpoint source(PacketWalker of) {
        return new Endpoint(of.sourceHigh(), of.sourceLow(), of.sourcePort());
    }

    private static Endpoint destination(PacketWalker of) {
        return new Endpoint(of.destinationHigh(), of.destinationLow(), of.destinationPort());
    }

    @Override
    public void close() {
        tcp.close();
        fragments.close();
    }
}
