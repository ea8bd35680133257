package io.offhook.analysis;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallWatch;
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
 * function of the packets, whatever the number of lanes. Of packets on the wire a round is what came in a short time.
 */
public final class Analysis {
    /** How often a watcher is told, milliseconds. */
    static final int LOOK_MS = 500;

    /** The most of the time that telling it may take: one part of so many. */
    private static final int LOOK_SHARE = 10;

    /** But a pause is not made longer than this: a watcher that waited for somebody, such as a pager, took no time. */
    private static final long LONGEST_REST_NS = 60_000_000_000L;

    /** A round on the wire begins no further batch once it has lasted so long, or nothing comes. */
    private static final long ROUND_NS = 50_000_000L;

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
    private final @Nullable CallWatcher watcher;
    private boolean exhausted;
    private boolean started;
    /** Of a round on the wire: when it began, and whether nothing came any more. */
    private long roundNs;

    private boolean isQuiet;
    private final int lookMs;
    private long nextLookNs;
    private final @Nullable CallWatch watch;

    private Analysis(PacketSource source, AnalysisOptions options, @Nullable CallWatcher watcher, int lookMs) {
        this.lookMs = lookMs;
        this.source = source;
        this.options = options;
        this.watcher = watcher;
        assembly =
                new CallAssembly(options.keptCalls(), Shards.SIP, Shards.RTP, options.wireshark(), options.listener());
        watch = watcher == null ? null : new CallWatch(assembly);
    }

    /** Reads the source to its end, on the caller's thread and as many others as lanes were asked for. */
    public static AnalysisResult run(PacketSource source, AnalysisOptions options) {
        return run(new Analysis(source, options, null, 0));
    }

    /**
     * Reads a source on the wire until it is stopped, and tells of calls as they happen. A batch that comes empty says that
     * there is nothing at the moment.
     */
    public static AnalysisResult watch(PacketSource source, AnalysisOptions options, CallWatcher watcher) {
        return watch(source, options, watcher, LOOK_MS);
    }

    static AnalysisResult watch(PacketSource source, AnalysisOptions options, CallWatcher watcher, int lookMs) {
        return run(new Analysis(source, options, watcher, lookMs));
    }

    private static AnalysisResult run(Analysis analysis) {
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
        CallWatcher told = watcher;
        Lanes lanes = new Lanes(options.lanes(), round::isWarmUp, told == null ? Lanes.Life.UNWATCHED : told::lane);
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
        if (watcher != null && watch != null) {
            watcher.look(report(watch), watch.changed()); // at what came since the last time
        }
        return report(null);
    }

    private AnalysisResult report(@Nullable CallWatch watch) {
        long nowNs = Math.max(span.latestNs(), source.endNs());
        if (watcher != null) {
            nowNs = Math.max(nowNs, watcher.nowNs());
        }
        return new AnalysisReport(source)
                .of(assembly, options, span, round.counters(), fragments, tcpShards(), nowNs, watch);
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
        if (exhausted || round.count() == Round.BATCHES || watch != null && isRoundOver()) {
            return -1;
        }
        FrameBatch batch = round.grow();
        if (!source.next(batch)) {
            exhausted = true;
            round.shrink();
            return -1;
        }
        if (batch.count() == 0 && watch != null) {
            isQuiet = true;
            round.shrink();
            return -1;
        }
        span.add(batch);
        return round.count() - 1;
    }

    private boolean isRoundOver() {
        if (round.count() == 0 && !isQuiet) {
            roundNs = System.nanoTime();
            return false;
        }
        return isQuiet || System.nanoTime() - roundNs > ROUND_NS;
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
        if (watch != null) {
            round.release(source);
            isQuiet = false;
        }
        round.clear();
        fragments.endRound();
        for (TcpShard shard : tcp) {
            if (shard != null) {
                shard.endRound();
            }
        }
        restartShards();
        if (watcher != null && watch != null) {
            look(watcher, watch);
        }
    }

    private void look(CallWatcher watcher, CallWatch watch) {
        long beganNs = System.nanoTime();
        if (nextLookNs == 0) {
            nextLookNs = beganNs;
        }
        if (beganNs - nextLookNs >= 0) {
            watcher.look(report(watch), watch.changed());
            long endedNs = System.nanoTime();
            nextLookNs = endedNs + pauseNs(lookMs, endedNs - beganNs);
        }
    }

    /** How long a watcher is not told again, nanoseconds. */
    static long pauseNs(int lookMs, long tookNs) {
        return lookMs == 0 ? 0 : Math.max(lookMs * 1_000_000L, Math.min(LOOK_SHARE * tookNs, LONGEST_REST_NS));
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
