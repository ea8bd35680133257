package io.offhook.analysis;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallReports;
import io.offhook.calls.CallWatch;
import io.offhook.calls.LossTimes;
import io.offhook.flow.FragmentCounter;
import io.offhook.flow.FragmentTable;
import io.offhook.flow.TcpCounter;
import io.offhook.packet.PlacedCount;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import io.offhook.sip.SipStreamCounters;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Gathers the result of an analysis from its parts, once all packets are through. */
final class AnalysisReport {
    /** A quarter of random datagrams begins as RTP does: so many times as many as others are no accident. */
    private static final int MOSTLY = 4;

    /** What went wrong with fragments; the others count what went well. */
    private static final Set<FragmentCounter> FRAGMENT_TROUBLE = EnumSet.of(
            FragmentCounter.COMPLETED_SHORT,
            FragmentCounter.OVERLAPS,
            FragmentCounter.MALFORMED,
            FragmentCounter.TRUNCATED,
            FragmentCounter.DISCARDED,
            FragmentCounter.TIMED_OUT,
            FragmentCounter.EVICTED,
            FragmentCounter.UNFINISHED);

    /** What went wrong with streams that may carry SIP. */
    private static final Set<TcpCounter> TCP_TROUBLE = EnumSet.of(
            TcpCounter.GAPS,
            TcpCounter.GAPS_ACKNOWLEDGED,
            TcpCounter.MISSING_BYTES,
            TcpCounter.GAPS_FORCED,
            TcpCounter.UNHELD_BYTES,
            TcpCounter.LATE,
            TcpCounter.OUT_OF_WINDOW,
            TcpCounter.EVICTED,
            TcpCounter.MARKS_EVICTED);

    private final List<CaptureReport.Counter> counters = new ArrayList<>();
    private final PacketSource source;

    /** @param source read to its end, and still open */
    AnalysisReport(PacketSource source) {
        this.source = source;
    }

    /**
     * Of what was found so far.
     *
     * @param nowNs when the capture ended, or, where it goes on, the time
     * @param watch looks at it, where it goes on; null where all calls are wanted
     */
    AnalysisResult of(
            CallAssembly assembly,
            AnalysisOptions options,
            CaptureSpan span,
            CaptureCounters counted,
            FragmentStage fragments,
            List<TcpShard> tcp,
            long nowNs,
            @Nullable CallWatch watch) {
        List<CaptureLoss> losses = source.losses();
        LossTimes shown = new LossTimes();
        tcp.forEach(shard -> shown.add(shard.captureLosses()));
        assembly.captureLost(times(losses), shown);
        boolean mostlyRtp = counted.rtpLike >= MOSTLY * counted.udpUnknown;
        CallReports reports = watch == null
                ? CallReports.of(assembly, nowNs, options.rtpHeuristic(), mostlyRtp)
                : watch.look(nowNs, options.rtpHeuristic(), mostlyRtp);
        count("packetsLostByCapture", placed(losses));
        count("filteredPackets", source.filtered());
        frames(counted);
        datagrams(fragments.table());
        count("sipMessagesInFragments", fragments.incompleteMessages());
        streams(tcp);
        reports.counters().forEach(this::count);
        CaptureReport capture = new CaptureReport(
                counted.packets,
                counted.capturedBytes,
                span.firstNs(),
                span.lastNs(),
                source.interfaces().stream()
                        .map(CaptureInterface::linkType)
                        .distinct()
                        .toList(),
                reports.sipRequests(),
                reports.sipResponses(),
                reports.callIds(),
                reports.rtpPackets(),
                counted.rtcp,
                List.copyOf(counters),
                losses,
                TlsStreams.servers(tcp.stream().map(TcpShard::tls).toList()));
        return new AnalysisResult(
                capture, reports.calls(), reports.streams(), reports.registrations(), counted.firstDefect);
    }

    private static LossTimes times(List<CaptureLoss> losses) {
        LossTimes times = new LossTimes();
        losses.forEach(loss -> times.add(loss.fromNs(), loss.untilNs()));
        return times;
    }

    /** All losses as one. Frames of several files have other numbers in the source than in their own. */
    private PlacedCount placed(List<CaptureLoss> losses) {
        boolean isOneFile = source.interfaces().stream()
                        .map(CaptureInterface::file)
                        .distinct()
                        .count()
                <= 1;
        PlacedCount sum = new PlacedCount();
        long withoutPlace = 0;
        for (CaptureLoss loss : losses) {
            if (loss.firstFrame() == 0) {
                withoutPlace += loss.packets();
            } else {
                sum.add(
                        loss.packets(),
                        isOneFile ? loss.firstFrame() : 0,
                        isOneFile ? loss.lastFrame() : 0,
                        loss.fromNs(),
                        loss.untilNs());
            }
        }
        sum.add(withoutPlace, sum.firstFrame(), sum.lastFrame(), sum.firstNs(), sum.lastNs());
        return sum;
    }

    private void frames(CaptureCounters counted) {
        count("snappedPackets", counted.snapped);
        count("truncatedPackets", counted.truncated);
        count("malformedPackets", counted.malformed);
        count("unsupportedPackets", counted.unsupported);
        count("tooDeepPackets", counted.tooDeep);
        count("failedPackets", counted.defects);
    }

    private void count(String name, PlacedCount count) {
        if (count.count() > 0) {
            counters.add(CaptureReport.Counter.of(name, count));
        }
    }

    private void datagrams(FragmentTable table) {
        for (FragmentCounter counter : FRAGMENT_TROUBLE) {
            count(counter.label(), table.placed(counter));
        }
    }

    private void streams(List<TcpShard> shards) {
        for (TcpCounter counter : TCP_TROUBLE) {
            PlacedCount sum = new PlacedCount();
            shards.forEach(shard -> sum.add(shard.streams().placed(counter)));
            count(counter.label(), sum);
        }
        PlacedCount tls = new PlacedCount();
        PlacedCount signalling = new PlacedCount();
        shards.forEach(shard -> tls.add(shard.tls().streams()));
        shards.forEach(shard -> signalling.add(shard.tls().signalling()));
        count("tlsStreams", tls);
        count("encryptedSignalling", signalling);
        sum("sipStreamBytesSkipped", shards, SipStreamCounters::skippedBytes);
        sum("sipContentLengthMissing", shards, SipStreamCounters::contentLengthMissing);
        sum("sipContentLengthWrong", shards, SipStreamCounters::contentLengthWrong);
        sum("sipMessagesOversized", shards, SipStreamCounters::oversized);
        sum("sipMessagesPartial", shards, SipStreamCounters::partialDropped);
        sum("sipBuffersRefused", shards, SipStreamCounters::bufferRefusals);
        sum("sipWebSocketUnreadable", shards, SipStreamCounters::webSocketUnreadable);
        sum("sipWebSocketErrors", shards, SipStreamCounters::webSocketErrors);
    }

    private void sum(String name, List<TcpShard> shards, Function<SipStreamCounters, PlacedCount> counter) {
        PlacedCount sum = new PlacedCount();
        shards.forEach(shard -> sum.add(counter.apply(shard.counters())));
        count(name, sum);
    }
}
