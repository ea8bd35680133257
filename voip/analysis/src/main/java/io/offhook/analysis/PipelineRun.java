package io.offhook.analysis;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.ConcurrentFill;
import io.offhook.pcap.PacketSource;
import io.offhook.rtp.RtpRows;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A running pipeline. In each round the lanes decode batches into events, reassemble TCP streams, pass on SIP, then
 * media. Each phase works by shard (of connections, of Call-IDs, of streams), each shard in the order of capture. The
 * SDP of a round is therefore known to dialogs before its media is processed, and counts for what was captured behind it. On
 * a live source a round covers a short time.
 */
final class PipelineRun implements AutoCloseable {
    /** A live round starts no further batch after this time, or once there is nothing to read. */
    private static final long ROUND_NS = 50_000_000L;

    private static final RtpRows NO_ROWS = new RtpRows();

    private final Pipeline pipeline;
    private final PacketSource source;
    private final boolean isLive;
    private final Arena arena = Arena.ofShared();
    private final RoundBatches batches;
    private final FragmentStage fragments;
    private final CarriedStage carried;
    private final StreamStage streams;
    private final AtomicInteger nextShard = new AtomicInteger();
    private final AtomicInteger nextStretch = new AtomicInteger();
    private final CaptureSpan span = new CaptureSpan();
    private final CurrentRound round;
    private final Failures failures = new Failures();
    private final TrafficFan traffic;
    private final LaneSinks sinks = new LaneSinks(failures);

    /** Lets lanes fill the batches of this round concurrently; null if they take turns at the source. */
    private @Nullable ConcurrentFill stretches;

    private @Nullable Runnable afterRound;
    private Lanes.Life life = Lanes.Life.UNWATCHED;
    private boolean exhausted;
    /** Whether sinks of traffic were begun, which takes the time of a first packet. */
    private boolean started;

    /** Whether one lane passes all messages, in the order of capture. */
    private boolean isOrdered;

    /** When the live round began. */
    private long roundNs;

    private boolean isQuiet;

    /** @param isLive whether empty batches say that there is nothing at the moment, and frames are released */
    PipelineRun(Pipeline pipeline, PacketSource source, boolean isLive) {
        this.pipeline = pipeline;
        this.source = source;
        this.isLive = isLive;
        isOrdered = pipeline.isOrdered();
        batches = new RoundBatches(pipeline.framesPerRound());
        fragments = new FragmentStage(arena, pipeline.isTraced(), failures);
        carried = new CarriedStage(arena, failures);
        streams = new StreamStage(pipeline, arena, failures);
        round = new CurrentRound(batches, fragments, streams, span, pipeline.isTraced());
        traffic = new TrafficFan(pipeline.trafficSinks(), failures);
    }

    /** Sets work to be done between rounds, once the frames of a round are released. */
    void afterRound(Runnable work) {
        afterRound = work;
    }

    @Override
    public void close() {
        streams.close();
        fragments.close();
        arena.close();
    }

    /** Reads the source to its end. */
    void run(Lanes.Life life) {
        this.life = life;
        sinks.make(pipeline.frameSinks(), pipeline.lanes());
        streams.makeProtocols();
        Lanes lanes = new Lanes(pipeline.lanes(), batches::isWarmUp, life);
        Lanes.Phase decode = lanes.phase(this::decode, this::endDecoding);
        Lanes.Phase tcp = lanes.phase(this::tcpStreams, this::endStreams);
        Lanes.Phase dialogs = lanes.phase(this::dialogs, this::publish);
        Lanes.Phase media = lanes.phase(this::media, this::endRound);
        try {
            runPhases(lanes, List.of(decode, tcp, dialogs, media));
            fragments.flush();
            flushStreams();
        } catch (RunEndedException e) {
            throw e.thrown();
        }
    }

    private void runPhases(Lanes lanes, List<Lanes.Phase> phases) {
        try {
            lanes.run(phases, () -> exhausted);
        } catch (InternalError e) {
            if (!source.hasLostMemory()) {
                throw e;
            }
            clearRound(); // its frames are unreadable; the results of earlier rounds are reported
        }
    }

    /** Takes batch after batch from the source, and decodes each. */
    private void decode() {
        FrameSink[] taken = sinks.take();
        FrameDecoder decoder = new FrameDecoder(pipeline.isTraced(), taken);
        for (int claim = claim(); claim >= 0; claim = claim()) {
            BatchEvents events = batches.events(claim);
            decoder.decode(batches.batch(claim), events);
            sinks.endOfBatch(taken, batches.batch(claim), claim);
        }
        sinks.giveBack(taken);
    }

    /** Fills another batch of the round and returns its index; -1 if the round is full or the source is at its end. */
    private int claim() {
        ConcurrentFill fill = stretches;
        return fill == null ? claimInTurn() : claimStretch(fill);
    }

    /** Fills batches concurrently; those beyond what can be read this way stay empty. */
    private int claimStretch(ConcurrentFill fill) {
        int next = nextStretch.getAndIncrement();
        while (next < batches.limit()) {
            if (fill.fill(next, batches.batch(next))) {
                return next;
            }
            next = nextStretch.getAndIncrement();
        }
        return -1;
    }

    private int claimInTurn() {
        if (!isLive || pipeline.lanes() == 1) {
            return claimNext();
        }
        life.waits(true);
        synchronized (this) {
            life.waits(false);
            return claimNext();
        }
    }

    private synchronized int claimNext() {
        if (exhausted || batches.isFull() || isLive && isRoundOver()) {
            return -1;
        }
        FrameBatch batch = batches.grow();
        if (!source.next(batch)) {
            exhausted = true;
            batches.shrink();
            return -1;
        }
        if (batch.count() == 0 && isLive) {
            isQuiet = true;
            batches.shrink();
            return -1;
        }
        span.add(batch);
        return batches.count() - 1;
    }

    private boolean isRoundOver() {
        if (batches.count() == 0 && !isQuiet) {
            roundNs = System.nanoTime();
            return false;
        }
        return isQuiet || System.nanoTime() - roundNs > ROUND_NS;
    }

    /** Lets lanes fill the batches of the next round concurrently, if the source supports it. */
    private void beginRound() {
        ConcurrentFill fill = isLive ? null : source.concurrently();
        stretches = null;
        if (fill != null && batches.isFullSize() && fill.begin(batches.limit(), batches.framesPerBatch())) {
            stretches = fill;
            nextStretch.set(0);
            batches.growAll();
        }
    }

    private void endDecoding() {
        ConcurrentFill fill = stretches;
        if (fill != null) {
            fill.end();
            batches.shrinkToFilled();
            for (int i = 0; i < batches.count(); i++) {
                span.add(batches.batch(i));
            }
        }
        for (int i = 0; i < batches.count(); i++) {
            span.latest(batches.events(i).latestNs);
        }
        fragments();
    }

    /** Reassembles fragments; each datagram takes the place of the frame that completes it. */
    private void fragments() {
        if (!started && !span.isEmpty()) {
            started = true;
            traffic.begin(span.firstNs());
        }
        for (int i = 0; i < batches.count(); i++) {
            BatchEvents found = batches.events(i);
            if (!found.fragments.isEmpty() || !found.carried.isEmpty()) {
                fragments.accept(found, carried, batches.growReassembled(i));
            }
        }
        if (exhausted || !pipeline.isPatient()) {
            fragments.reportBeginnings(span.lastNs(), exhausted);
        }
        restartShards();
    }

    private void restartShards() {
        nextShard.set(0);
    }

    /** From the first message without all of its headers on, what a message belongs to depends on those of all shards. */
    private void endStreams() {
        for (int i = 0; i < batches.count(); i++) {
            BatchEvents late = batches.reassembled(i);
            isOrdered |= batches.events(i).hasCutHeaders || late != null && late.hasCutHeaders;
        }
        isOrdered |= fragments.hasBeginnings();
        streams.shards().forEach(shard -> isOrdered |= shard.carriers().found().hasCutHeaders);
        restartShards();
    }

    private void tcpStreams() {
        for (int shard = nextShard.getAndIncrement(); shard < Shards.TCP; shard = nextShard.getAndIncrement()) {
            for (int i = 0; i < batches.count(); i++) {
                streams.accept(shard, batches.events(i), batches.reassembled(i), batches.batch(i), fragments);
            }
        }
    }

    /** If SIP is ordered, one lane passes all messages in the order of capture; otherwise lanes take shards. */
    private void dialogs() {
        if (!isOrdered) {
            for (int shard = nextShard.getAndIncrement(); shard < Shards.SIP; shard = nextShard.getAndIncrement()) {
                report(round.messagesOf(shard));
            }
        } else if (nextShard.getAndIncrement() == 0) {
            report(round.allMessages());
        }
    }

    private void report(List<SipPacket> messages) {
        for (SipPacket message : messages) {
            traffic.sip(Shards.sip(message.callIdHash()), message);
        }
    }

    /** Publishes the round's SDP, then passes RTCP and ICMP errors, which are few. */
    private void publish() {
        if (started) {
            traffic.publish(lastFrame(), span.lastNs());
        }
        List<BatchEvents> found = new ArrayList<>();
        for (int i = 0; i < batches.count(); i++) {
            BatchEvents late = batches.reassembled(i);
            if (late != null) {
                batches.events(i).addControls(late);
            }
            found.add(batches.events(i));
        }
        controls(found, streams.shards());
        restartShards();
    }

    /** Passes on RTCP, ICMP errors and media reports in the order of capture, those that TCP streams carried among them. */
    private void controls(List<BatchEvents> found, List<TcpShard> shards) {
        BatchEvents carriedControls = null;
        for (TcpShard shard : shards) {
            BatchEvents ofShard = shard.carriers().found();
            if (ofShard.hasControls()) {
                carriedControls = carriedControls == null ? new BatchEvents() : carriedControls;
                carriedControls.addControls(ofShard);
            }
        }
        if (carriedControls == null) {
            found.forEach(this::controls);
            return;
        }
        found.forEach(carriedControls::addControls);
        controls(carriedControls);
    }

    private void controls(BatchEvents events) {
        for (RtcpPacket packet : events.rtcp) {
            traffic.rtcp(packet);
        }
        for (IcmpEvent event : events.icmp) {
            traffic.icmp(event);
        }
        for (MediaReport report : events.measured) {
            traffic.measured(report);
        }
    }

    private void media() {
        for (int shard = nextShard.getAndIncrement(); shard < Shards.RTP; shard = nextShard.getAndIncrement()) {
            RtpRows ofStreams = mediaOfStreams(shard);
            RtpRows all = new RtpRows();
            for (int i = 0; i < batches.count(); i++) {
                RtpRows rows = batches.events(i).rtp[shard];
                BatchEvents late = batches.reassembled(i);
                if (late != null && late.rtp[shard].size() > 0) {
                    rows = merged(rows, late.rtp[shard]);
                }
                if (ofStreams.size() == 0) {
                    traffic.rtp(shard, rows);
                } else {
                    all.merge(rows, NO_ROWS);
                }
            }
            if (ofStreams.size() > 0) {
                traffic.rtp(shard, merged(all, ofStreams));
            }
        }
    }

    /** The media that TCP streams carried, in the order of capture. */
    private RtpRows mediaOfStreams(int shard) {
        RtpRows all = NO_ROWS;
        for (TcpShard stream : streams.shards()) {
            RtpRows rows = stream.carriers().found().rtp[shard];
            if (rows.size() > 0) {
                all = all.size() == 0 ? rows : merged(all, rows);
            }
        }
        return all;
    }

    private static RtpRows merged(RtpRows one, RtpRows other) {
        RtpRows merged = new RtpRows();
        merged.merge(one, other);
        return merged;
    }

    private void endRound() {
        if (started) {
            traffic.endOfRound(span.latestNs(), lastFrame());
        }
        rounds();
        clearRound();
        if (afterRound != null) {
            afterRound.run();
        }
        beginRound();
    }

    private void rounds() {
        if (pipeline.roundSinks().isEmpty()) {
            return;
        }
        round.show();
        for (RoundSink sink : pipeline.roundSinks()) {
            try {
                sink.round(round);
            } catch (RuntimeException e) {
                RunEndedException.throwIf(sink.endsRun(e), e);
                failures.add(Failures.Kind.CONSUMER, e, lastFrame(), span.lastNs());
            }
        }
        round.hide();
    }

    private void clearRound() {
        if (isLive) {
            batches.release(source);
            isQuiet = false;
        }
        batches.clear();
        fragments.endRound();
        carried.endRound();
        streams.endRound();
        restartShards();
    }

    /** Flushes the streams at the end of the capture: bytes held behind a hole are read. */
    private void flushStreams() {
        streams.flush();
        if (started) {
            report(round.allMessages());
            traffic.publish(lastFrame(), span.lastNs());
            controls(List.of(), streams.shards());
            for (int shard = 0; shard < Shards.RTP; shard++) {
                traffic.rtp(shard, mediaOfStreams(shard));
            }
            traffic.endOfRound(span.latestNs(), lastFrame());
        }
        rounds();
    }

    /** The number of the last frame read; 0 before there is one. */
    private long lastFrame() {
        return span.lastNumber();
    }

    PipelineReport report() {
        CaptureCounters counters = counters();
        PipelineCounters places = new PipelineCounters();
        places.frames(counters);
        places.datagrams(fragments);
        places.carried(carried, streams.shards());
        places.streams(streams.shards());
        places.failures(counters.failures);
        return new PipelineReport(
                counters.packets,
                counters.capturedBytes,
                span.firstNs(),
                span.lastNs(),
                places.all(),
                counters.failures.first());
    }

    /** What all lanes counted so far, with what was contained anywhere. */
    CaptureCounters counters() {
        CaptureCounters counters = batches.counters();
        streams.shards().forEach(shard -> counters.add(shard.carriers().found().counters));
        counters.failures.add(failures);
        return counters;
    }

    /** Exceptions that were contained beyond the decoder. */
    Failures failures() {
        return failures;
    }

    CaptureSpan span() {
        return span;
    }

    FragmentStage fragmentStage() {
        return fragments;
    }

    CarriedStage carriedStage() {
        return carried;
    }

    List<TcpShard> tcpShards() {
        return streams.shards();
    }
}
