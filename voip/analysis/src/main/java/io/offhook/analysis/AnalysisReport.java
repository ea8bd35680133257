package io.offhook.analysis;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallReports;
import io.offhook.calls.CallWatch;
import io.offhook.calls.event.LossTimes;
import io.offhook.packet.PlacedCount;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.PacketSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the result of an analysis from its parts. */
final class AnalysisReport {
    private final PipelineCounters counters = new PipelineCounters();
    private final PacketSource source;

    /** @param source the source, still open */
    AnalysisReport(PacketSource source) {
        this.source = source;
    }

    /**
     * Builds the result so far.
     *
     * @param nowNs the end of the capture or, if it goes on, the current time
     * @param watch the watch of a capture that goes on; null to report all calls
     */
    AnalysisResult of(
            CallAssembly assembly, AnalysisOptions options, PipelineRun run, long nowNs, @Nullable CallWatch watch) {
        CaptureCounters counted = run.counters();
        CaptureSpan span = run.span();
        List<TcpShard> tcp = run.tcpShards();
        List<CaptureLoss> losses = source.losses();
        LossTimes shown = new LossTimes();
        tcp.forEach(shard -> shown.add(shard.captureLosses()));
        assembly.captureLost(times(losses), shown);
        boolean mostlyRtp = CaptureReport.isMostlyRtp(counted.rtpLike, counted.udpUnknown.count());
        CallReports reports = watch == null
                ? CallReports.of(assembly, nowNs, options.rtpHeuristic(), mostlyRtp)
                : watch.look(nowNs, options.rtpHeuristic(), mostlyRtp);
        counted.failures.add(Failures.Kind.MEDIA, reports.failedPackets(), reports.defect());
        counted.failures.add(Failures.Kind.REPORT, reports.failedReports(), null);
        counters.count("packetsLostByCapture", placed(losses));
        counters.count("filteredPackets", source.filtered());
        counters.frames(counted);
        counters.failures(counted.failures);
        counters.datagrams(run.fragmentStage());
        counters.carried(run.carriedStage(), tcp);
        counters.streams(tcp);
        reports.counters().forEach(counters::count);
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
                counted.rtpLike,
                counters.all(),
                losses,
                TlsStreams.servers(tcp.stream().map(TcpShard::tls).toList()));
        return new AnalysisResult(
                capture, reports.calls(), reports.streams(), reports.registrations(), counted.failures.first());
    }

    private static LossTimes times(List<CaptureLoss> losses) {
        LossTimes times = new LossTimes();
        losses.forEach(loss -> times.add(loss.fromNs(), loss.untilNs()));
        return times;
    }

    /** The sum of all losses. Frame numbers of several files differ from those in the source, and are left out. */
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
}
