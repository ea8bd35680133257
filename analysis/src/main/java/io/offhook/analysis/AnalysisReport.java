package io.offhook.analysis;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallReports;
import io.offhook.flow.FragmentCounter;
import io.offhook.flow.FragmentTable;
import io.offhook.flow.TcpCounter;
import io.offhook.sip.SipStreamCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Gathers the result of an analysis from its parts, once all packets are through. */
final class AnalysisReport {
    private final List<CaptureReport.Counter> counters = new ArrayList<>();

    AnalysisResult of(
            CallAssembly assembly,
            AnalysisOptions options,
            CaptureSpan span,
            CaptureCounters counted,
            List<Integer> linkTypes,
            FragmentStage fragments,
            List<TcpShard> tcp) {
        CallReports reports = CallReports.of(assembly, span.latestNs(), options.rtpHeuristic());
        frames(counted);
        datagrams(fragments.table());
        streams(tcp);
        for (Map.Entry<String, Long> sum : reports.counters().entrySet()) {
            count(sum.getKey(), sum.getValue(), 0);
        }
        CaptureReport capture = new CaptureReport(
                counted.packets,
                counted.capturedBytes,
                span.firstNs(),
                span.lastNs(),
                linkTypes,
                reports.sipRequests(),
                reports.sipResponses(),
                reports.callIds(),
                reports.rtpPackets(),
                counted.rtcp,
                List.copyOf(counters));
        return new AnalysisResult(capture, reports.calls(), reports.streams(), reports.registrations());
    }

    private void frames(CaptureCounters counted) {
        count("snappedPackets", counted.snapped, 0);
        count("truncatedPackets", counted.truncated, counted.firstTruncated);
        count("malformedPackets", counted.malformed, counted.firstMalformed);
        count("unsupportedPackets", counted.unsupported, counted.firstUnsupported);
        count("tooDeepPackets", counted.tooDeep, 0);
    }

    private void count(String name, long count, long firstFrame) {
        if (count > 0) {
            counters.add(new CaptureReport.Counter(name, count, firstFrame));
        }
    }

    private void datagrams(FragmentTable table) {
        for (FragmentCounter counter : FragmentCounter.values()) {
            count(counter.label(), table.count(counter), 0);
        }
    }

    private void streams(List<TcpShard> shards) {
        for (TcpCounter counter : TcpCounter.values()) {
            count(counter.label(), shards.stream().mapToLong(shard -> shard.streams().count(counter)).sum(), 0);
        }
        sum("sipStreamBytesSkipped", shards, SipStreamCounters::skippedBytes);
        sum("sipStreamResynchronisations", shards, SipStreamCounters::resynchronisations);
        sum("sipContentLengthMissing", shards, SipStreamCounters::contentLengthMissing);
        sum("sipContentLengthWrong", shards, SipStreamCounters::contentLengthWrong);
        sum("sipMessagesOversized", shards, SipStreamCounters::oversized);
        sum("sipMessagesPartial", shards, SipStreamCounters::partialDropped);
        sum("sipWebSocketUnreadable", shards, SipStreamCounters::webSocketUnreadable);
        sum("sipWebSocketErrors", shards, SipStreamCounters::webSocketErrors);
    }

    private void sum(String name, List<TcpShard> shards, ToLongFunction<SipStreamCounters> counter) {
        count(name, shards.stream().mapToLong(shard -> counter.applyAsLong(shard.counters())).sum(), 0);
    }
}
