package io.offhook.cluster.probe;

import io.offhook.analysis.AddedSink;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.analysis.Shards;
import io.offhook.calls.CallAssembly;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.cluster.event.Drops;
import io.offhook.cluster.event.EventBody;
import io.offhook.cluster.event.EventKey;
import io.offhook.cluster.event.EventRange;
import io.offhook.cluster.event.Fault;
import io.offhook.cluster.event.Heartbeat;
import io.offhook.cluster.event.IcmpError;
import io.offhook.cluster.event.Limits;
import io.offhook.cluster.event.Measured;
import io.offhook.cluster.event.Octets;
import io.offhook.cluster.event.SipMessage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes events of the traffic of an {@code Analysis}, beside whose calls it stands; when that has ended, {@link #finish} sends what
 * only its result knows. An output that cannot be written ends the analysis; what else cannot be sent is counted, and announced by
 * {@link Drops} with the cause {@code unsentEvents}.
 */
public final class Probe implements AddedSink, TrafficSink {
    /** Between heartbeats, at least. Rounds of a file may take longer than this by the time of the capture. */
    private static final long HEARTBEAT_NS = 1_000_000_000L;

    /** How far packets may lie behind the latest one: those of other interfaces, and messages that were put together. */
    private static final long BEHIND_NS = 1_000_000_000L;

    /** The counter of what {@link AnalysisResult} lists loss by loss, too. */
    private static final String LOST = "packetsLostByCapture";

    private final ProbeEvents events;
    private final ProbedStreams streams;
    private final Heartbeat.About about;
    private final LongSupplier clock;
    private final List<List<SipPacket>> messages = new ArrayList<>();
    private @Nullable CallAssembly calls;
    private long latestNs = Long.MIN_VALUE;
    private long nextHeartbeatNs = Long.MIN_VALUE;
    private long watermarkNs = Long.MIN_VALUE;

    /**
     * A probe for one analysis.
     *
     * @param keptCalls the most calls that the analysis keeps: four streams of each are known at a time
     * @param about what it says of itself
     * @param clock the time of day, nanoseconds since the epoch
     */
    public Probe(EventSink sink, int keptCalls, Heartbeat.About about, LongSupplier clock) {
        events = new ProbeEvents(sink);
        streams = new ProbedStreams(events, 4 * keptCalls);
        this.about = about;
        this.clock = clock;
        for (int shard = 0; shard < Shards.SIP; shard++) {
            messages.add(new ArrayList<>());
        }
    }

    @Override
    public TrafficSink beside(CallAssembly assembly) {
        calls = assembly;
        return this;
    }

    @Override
    public void begin(long firstNs) {
        watermarkNs = Math.max(watermarkNs, firstNs - BEHIND_NS);
        heartbeat(firstNs, new Heartbeat.Capture(0, 0, 0));
        nextHeartbeatNs = firstNs + HEARTBEAT_NS;
    }

    /** Shards are passed by several threads at a time: their messages are put in order when all have come. */
    @Override
    public void sip(int shard, SipPacket message) {
        messages.get(shard).add(message);
    }

    @Override
    public void publish() {
        List<SipPacket> all = new ArrayList<>();
        for (List<SipPacket> shard : messages) {
            all.addAll(shard);
            shard.clear();
        }
        all.sort(Comparator.comparingLong(SipPacket::frameNumber));
        all.forEach(this::message);
    }

    private void message(SipPacket packet) {
        SipMessage message;
        try {
            message = new SipMessage(
                    octets(packet.segment(), packet.offset(), packet.length()),
                    packet.callIdHash(),
                    packet.context().source(),
                    packet.context().destination(),
                    packet.transport(),
                    packet.ipIdentification(),
                    packet.frameNumber(),
                    octets(packet.segment(), packet.offset() + packet.length(), packet.cutLength()),
                    packet.context().isByAgent(),
                    0,
                    Octets.EMPTY);
        } catch (IllegalArgumentException e) {
            events.lost(packet.timestampNs()); // longer than messages may be
            return;
        }
        events.send(packet.timestampNs(), EventKey.of(message), message);
    }

    private static Octets octets(MemorySegment segment, long offset, int length) {
        byte[] octets = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, octets, 0, length);
        return Octets.of(octets);
    }

    @Override
    public void icmp(IcmpEvent event) {
        IcmpError error = new IcmpError(
                event.frameNumber(),
                event.reporter(),
                event.source(),
                event.destination(),
                event.callIdHash(),
                new IcmpError.Message(
                        event.message().ipVersion(),
                        event.message().type(),
                        event.message().code()),
                0,
                Octets.EMPTY);
        events.send(event.timestampNs(), EventKey.of(error), error);
    }

    @Override
    public void measured(MediaReport report) {
        String callId = report.callId();
        MediaReport.Figures figures = report.figures();
        Measured measured = new Measured(
                callId == null ? "" : Limits.cut(callId, Limits.TEXT),
                report.source(),
                report.destination(),
                report.ssrc(),
                new Measured.Figures(
                        figures.packets(),
                        figures.lost(),
                        figures.lossPercent(),
                        figures.jitterMs(),
                        figures.roundTripMs(),
                        figures.rFactor(),
                        figures.mos()),
                report.frameNumber(),
                Octets.EMPTY);
        events.send(report.timestampNs(), EventKey.of(measured), measured);
    }

    /**
     * Says that it is this time, also if there are no packets: a live probe is alive, and its streams go on to their ends. Between
     * rounds, while no packet is read.
     *
     * @param nowNs by the clock that packets are stamped with, nanoseconds since the epoch
     */
    public void alive(long nowNs) {
        endOfRound(nowNs);
    }

    @Override
    public void endOfRound(long nowNs) {
        latestNs = Math.max(latestNs, nowNs);
        figures(nowNs, nowNs);
        if (nowNs >= nextHeartbeatNs) {
            nextHeartbeatNs = nowNs + HEARTBEAT_NS;
            events.announce(nowNs);
            watermarkNs = Math.max(watermarkNs, nowNs - BEHIND_NS);
            heartbeat(nowNs, new Heartbeat.Capture(0, 0, 0));
        }
    }

    private void figures(long atNs, long untilNs) {
        CallAssembly assembly = calls;
        if (assembly != null) {
            streams.at(atNs);
            assembly.figures(untilNs, streams);
        }
    }

    private void heartbeat(long atNs, Heartbeat.Capture capture) {
        events.sendToAll(
                atNs,
                new Heartbeat(
                        watermarkNs,
                        clock.getAsLong(),
                        capture,
                        0,
                        OptionalLong.empty(),
                        Heartbeat.Clock.UNKNOWN,
                        about,
                        Octets.EMPTY));
    }

    /**
     * Sends what is left: figures of the last seconds, the ends of all streams, what the capture lost, and a last heartbeat.
     *
     * @param result of the analysis
     * @param endNs when the capture ended as its source declares it, nanoseconds since the epoch; Long.MIN_VALUE if it does not
     */
    public void finish(AnalysisResult result, long endNs) {
        long atNs = Math.max(latestNs, endNs);
        if (atNs == Long.MIN_VALUE) {
            return; // there were no packets
        }
        figures(atNs, Long.MAX_VALUE);
        streams.stop();
        losses(result, atNs);
        RuntimeException defect = result.defect();
        if (defect != null) {
            String where = defect.getStackTrace().length == 0 ? "" : " at " + defect.getStackTrace()[0];
            sendToFirst(atNs, new Fault("defect", Limits.cut(defect + where, Limits.TEXT), 0, Octets.EMPTY));
        }
        events.announce(atNs);
        watermarkNs = Math.max(watermarkNs, atNs);
        CaptureReport capture = result.capture();
        heartbeat(atNs, new Heartbeat.Capture(capture.packets(), count(capture, "udpUnknown"), capture.rtpLike()));
    }

    private static long count(CaptureReport capture, String name) {
        for (CaptureReport.Counter counter : capture.counters()) {
            if (counter.name().equals(name)) {
                return counter.count();
            }
        }
        return 0;
    }

    private void losses(AnalysisResult result, long atNs) {
        result.capture()
                .losses()
                .forEach(loss -> sendToFirst(
                        atNs,
                        drops(Drops.Place.INTERFACE, LOST, loss.packets(), loss.fromNs(), loss.untilNs(), false)));
        CallAssembly assembly = calls;
        if (assembly != null) {
            assembly.shownLosses()
                    .forEach((fromNs, untilNs) ->
                            sendToFirst(atNs, drops(Drops.Place.TCP_GAP, "tcpGaps", 1, fromNs, untilNs, true)));
        }
        for (CaptureReport.Counter counter : result.capture().counters()) {
            if (!counter.name().equals(LOST)) {
                Drops.Place place = counter.name().toLowerCase(Locale.ROOT).contains("evicted")
                        ? Drops.Place.TABLE
                        : Drops.Place.UNSPECIFIED;
                String name = Limits.cut(counter.name(), Limits.NAME);
                sendToFirst(atNs, drops(place, name, counter.count(), counter.firstNs(), counter.lastNs(), false));
            }
        }
    }

    private static Drops drops(
            Drops.Place place, String cause, long count, long fromNs, long untilNs, boolean isShown) {
        return new Drops(place, cause, count, fromNs, untilNs, isShown, EventRange.NONE, Octets.EMPTY);
    }

    /** Counts add up over partitions, so they are in one. */
    private void sendToFirst(long atNs, EventBody body) {
        events.send(atNs, 0, body);
    }

    /** Events that were sent. */
    public long sent() {
        return events.sent();
    }

    /** Events that could not be sent. */
    public long unsent() {
        return events.unsent();
    }
}
