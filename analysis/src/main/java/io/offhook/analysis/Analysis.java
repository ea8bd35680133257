package io.offhook.analysis;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.IcmpEvent;
import io.offhook.calls.RtcpPacket;
import io.offhook.calls.RtpEvents;
import io.offhook.calls.SipPacket;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads a source to its end and finds the calls in it.
 *
 * <p>Works in rounds of a fixed number of frames. In a round the lanes decode batches into events, put TCP streams
 * together, follow dialogs, then count media: each phase sharded (by connection, by Call-ID, by stream), each shard in
 * the order of capture. So dialogs know what a round's SDP says before its media is looked at, and the result is a
 * function of the packets, whatever the number of lanes.
 */
public final class Analysis {
    private static final int ALL_SHARDS = -1;

    private final PacketSource source;
    private final AnalysisOptions options;
    private final Arena arena = Arena.ofShared();
    private final CallAssembly assembly;
    private final Round round = new Round();
    private final FragmentStage fragments = new FragmentStage(arena);
    private final @Nullable TcpShard[] tcp = new TcpShard[Shards.TCP];
    private final AtomicInteger nextShard = new AtomicInteger();
    private final CaptureSpan span = new CaptureSpan();
    private boolean exhausted;
    private boolean started;

    private Analysis(PacketSource source, AnalysisOptions options) {
        this.source = source;
        this.options = options;
        assembly = new CallAssembly(Shards.SIP, Shards.RTP, options.wireshark(), options.listener());
    }

    /** Reads the source to its end, on the caller's thread and as many others as lanes were asked for. */
    public static AnalysisResult run(PacketSource source, AnalysisOptions options) {
        Analysis analysis = new Analysis(source, options);
        try {
            return analysis.run();
        } finally {
            analysis.close();
        }
    }

    private void close() {
        for (TcpShard shard : tcpShards()) {
            shard.close();
        }
        fragments.close();
        arena.close();
    }

    private AnalysisResult run() {
        Lanes lanes = new Lanes(options.lanes(), round::isWarmUp);
        Lanes.Phase decode = lanes.phase(this::decode, this::fragments);
        Lanes.Phase streams = lanes.phase(this::tcpStreams, this::restartShards);
        Lanes.Phase dialogs = lanes.phase(this::dialogs, this::publish);
        Lanes.Phase media = lanes.phase(this::media, this::endRound);
        try {
            lanes.run(List.of(decode, streams, dialogs, media), () -> exhausted);
        } catch (InternalError e) {
            if (!source.hasLostMemory()) {
                throw e;
            }
            endRound(); // what lies in it cannot be read any more; what the rounds before it found is told
        }
        fragments.flush();
        flushStreams();
        return new AnalysisReport(source).of(assembly, options, span, round.counters(), fragments, tcpShards());
    }

    /** Takes batch after batch from the source, and decodes each. */
    private void decode() {
        FrameDecoder decoder = new FrameDecoder();
        for (int claim = claim(); claim >= 0; claim = claim()) {
            decoder.decode(round.batch(claim), round.events(claim));
        }
    }

    /** Fills one more batch of the round; -1 when the round is full or the source at its end. */
    private synchronized int claim() {
        if (exhausted || round.count() == Round.BATCHES) {
            return -1;
        }
        FrameBatch batch = round.grow();
        if (!source.next(batch)) {
            exhausted = true;
            round.shrink();
            return -1;
        }
        span.add(batch);
        return round.count() - 1;
    }

    /** Fragments come back in the place of the frame that completes their datagram. */
    private void fragments() {
        if (!started && !span.isEmpty()) {
            started = true;
            assembly.captureStart(span.firstNs());
        }
        for (int i = 0; i < round.count(); i++) {
            if (!round.events(i).fragments.isEmpty()) {
                fragments.accept(round.events(i), round.growReassembled(i));
            }
        }
        fragments.tellBeginnings(span.lastNs(), exhausted);
        restartShards();
    }

    private void restartShards() {
        nextShard.set(0);
    }

    private void tcpStreams() {
        for (int shard = nextShard.getAndIncrement(); shard < Shards.TCP; shard = nextShard.getAndIncrement()) {
            for (int i = 0; i < round.count(); i++) {
                BatchEvents late = round.reassembled(i);
                segments(shard, round.events(i).tcp[shard], late == null ? null : late.tcp[shard], round.batch(i));
            }
        }
    }

    private void segments(int index, SegmentEvents events, @Nullable SegmentEvents late, FrameBatch batch) {
        boolean isLate = late != null && !late.isEmpty();
        if (events.isEmpty() && !isLate) {
            return;
        }
        TcpShard shard = tcp[index];
        if (shard == null) {
            shard = new TcpShard(arena);
            tcp[index] = shard;
        }
        if (late == null || !isLate) {
            shard.accept(events, batch);
        } else {
            shard.accept(events, batch, late, fragments.memory());
        }
    }

    /** With a listener, one lane takes all messages in the order of capture; else each shard's lane takes its own. */
    private void dialogs() {
        if (options.listener() == null) {
            for (int shard = nextShard.getAndIncrement(); shard < Shards.SIP; shard = nextShard.getAndIncrement()) {
                messages(shard);
            }
        } else if (nextShard.getAndIncrement() == 0) {
            messages(ALL_SHARDS);
        }
    }

    private void messages(int shard) {
        List<SipPacket> messages = new ArrayList<>();
        for (int i = 0; i < round.count(); i++) {
            collect(round.events(i).sip, shard, messages);
            BatchEvents late = round.reassembled(i);
            if (late != null) {
                collect(late.sip, shard, messages);
            }
        }
        collect(fragments.messages(), shard, messages);
        for (TcpShard streams : tcp) {
            if (streams != null) {
                collect(streams.messages(), shard, messages);
            }
        }
        messages.sort((a, b) -> Long.compare(a.frameNumber(), b.frameNumber()));
        for (SipPacket message : messages) {
            assembly.sip(Shards.sip(message.callIdHash()), message);
        }
    }

    private static void collect(List<SipPacket> from, int shard, List<SipPacket> to) {
        for (SipPacket message : from) {
            if (shard == ALL_SHARDS || Shards.sip(message.callIdHash()) == shard) {
                to.add(message);
            }
        }
    }

    /** What the round's SDP says becomes known; RTCP and ICMP, which are few, are worked off. */
    private void publish() {
        assembly.publish();
        for (int i = 0; i < round.count(); i++) {
            BatchEvents late = round.reassembled(i);
            if (late != null) {
                round.events(i).addControls(late);
            }
            controls(round.events(i));
        }
        restartShards();
    }

    private void controls(BatchEvents events) {
        for (RtcpPacket packet : events.rtcp) {
            assembly.rtcp(packet);
        }
        for (IcmpEvent event : events.icmp) {
            assembly.icmp(event);
        }
    }

    private void media() {
        for (int shard = nextShard.getAndIncrement(); shard < Shards.RTP; shard = nextShard.getAndIncrement()) {
            for (int i = 0; i < round.count(); i++) {
                RtpEvents events = round.events(i).rtp[shard];
                BatchEvents late = round.reassembled(i);
                if (late == null || late.rtp[shard].size() == 0) {
                    assembly.rtp(shard, events);
                } else {
                    assembly.rtp(shard, events, late.rtp[shard]);
                }
            }
        }
    }

    private void endRound() {
        round.clear();
        fragments.endRound();
        for (TcpShard shard : tcp) {
            if (shard != null) {
                shard.endRound();
            }
        }
        restartShards();
    }

    /** What streams held behind a hole comes out at the end of the capture. */
    private void flushStreams() {
        for (TcpShard shard : tcp) {
            if (shard != null) {
                shard.flush();
            }
        }
        messages(ALL_SHARDS);
        assembly.publish();
    }

    private List<TcpShard> tcpShards() {
        List<TcpShard> all = new ArrayList<>();
        for (TcpShard shard : tcp) {
            if (shard != null) {
                all.add(shard);
            }
        }
        return all;
    }
}
