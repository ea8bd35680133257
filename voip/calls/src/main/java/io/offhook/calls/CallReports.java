package io.offhook.calls;

import io.offhook.calls.registration.Registration;
import io.offhook.packet.PlacedCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports of an assembly after everything was fed to it: {@code StreamReports} binds streams to calls, {@code
 * CallReporter} makes the report of each Call-ID, and {@code CallJoins} makes one of those that are legs of a call.
 */
public final class CallReports {
    private final CallAssembly assembly;
    private final long captureEndNs;
    /** The calls that need no report; null if all do. */
    private final @Nullable CallWatch watch;

    private final ReportCounters counters = new ReportCounters();
    private final StreamReporter streamReporter;
    private final StreamReports streams;
    private final List<CallReport> calls = new ArrayList<>();

    private CallReports(
            CallAssembly assembly, long captureEndNs, boolean heuristic, boolean mostlyRtp, @Nullable CallWatch watch) {
        this.assembly = assembly;
        this.captureEndNs = captureEndNs;
        this.watch = watch;
        IcmpBinder icmp = new IcmpBinder(assembly);
        streamReporter = new StreamReporter(assembly);
        streams = new StreamReports(assembly, streamReporter, heuristic, mostlyRtp, watch, counters);
        join(report(new CallReporter(assembly, captureEndNs, streams, streamReporter, icmp, qualityReports())));
        calls.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
    }

    /**
     * Makes reports of everything that was fed.
     *
     * @param captureEndNs time of the last packet, nanoseconds since the epoch
     * @param heuristic whether to report streams that belong to no call
     * @param mostlyRtp whether most datagrams not otherwise recognized look like RTP: then a single packet makes a
     *     stream
     */
    public static CallReports of(CallAssembly assembly, long captureEndNs, boolean heuristic, boolean mostlyRtp) {
        return new CallReports(assembly, captureEndNs, heuristic, mostlyRtp, null);
    }

    /** Reports of the calls that are not settled, in the middle of a capture; the counters are of all. */
    static CallReports watched(
            CallAssembly assembly, long nowNs, boolean heuristic, boolean mostlyRtp, CallWatch watch) {
        return new CallReports(assembly, nowNs, heuristic, mostlyRtp, watch);
    }

    /** The reports that telephones made of their calls, then what others measured of them, by Call-ID. */
    private Map<String, List<CallReport.QualityReport>> qualityReports() {
        Map<String, List<CallReport.QualityReport>> byCallId = new HashMap<>();
        for (CallTable table : assembly.callTables()) {
            for (CallReport.QualityReport report : table.qualityReports().reports()) {
                byCallId.computeIfAbsent(report.report().callId(), _ -> new ArrayList<>(1))
                        .add(report);
            }
            counters.dropped(table.qualityReports());
        }
        QualityReportTable measured = assembly.mediaReports().figures();
        for (CallReport.QualityReport report : measured.reports()) {
            byCallId.computeIfAbsent(report.report().callId(), _ -> new ArrayList<>(1))
                    .add(report);
        }
        counters.dropped(measured);
        return byCallId;
    }

    /** Each call that is not settled, with its report. */
    private List<CallJoins.Reported> report(CallReporter reporter) {
        List<CallJoins.Reported> reported = new ArrayList<>();
        for (CallTable table : assembly.callTables()) {
            for (Call call : table.calls()) {
                counters.dropped(call);
                if (watch == null || !watch.isSettled(call)) {
                    try {
                        reported.add(new CallJoins.Reported(call, reporter.report(call)));
                    } catch (RuntimeException e) { // a bug costs the report of that call
                        counters.failed(call.firstFrame(), call.firstSeenNs(), e);
                    }
                }
            }
        }
        return reported;
    }

    /**
     * Joins the legs of calls. In the middle of a capture each keeps its report, which then names the others: a line that was
     * shown does not disappear.
     */
    private void join(List<CallJoins.Reported> reported) {
        List<CallReport> joined = new ArrayList<>(reported.size());
        try {
            if (!assembly.joins().joins()) {
                reported.forEach(each -> joined.add(each.report()));
            } else if (watch == null) {
                CallJoins joins = CallJoins.of(reported, captureEndNs, streamReporter);
                joined.addAll(joins.calls());
                counters.refused(joins);
            } else {
                CallJoins.standing(reported, captureEndNs, streamReporter, watch)
                        .forEach(each -> joined.add(each.report()));
            }
        } catch (RuntimeException e) { // a bug costs the joins
            joined.clear();
            counters.failed(0, captureEndNs, e);
            reported.forEach(each -> joined.add(each.report()));
        }
        if (watch != null && !assembly.joins().joins()) {
            reported.forEach(each -> watch.reported(each, List.of(each.call())));
        }
        calls.addAll(joined);
    }

    /** The calls, in the order of their first frames. */
    public List<CallReport> calls() {
        return calls;
    }

    /** Streams that belong to no call, in the order of their first frames; empty without the heuristic. */
    public List<StreamReport> streams() {
        return streams.unbound();
    }

    /** Registrations, in the order of their first frames. */
    public List<Registration> registrations() {
        List<Registration> all = new ArrayList<>();
        for (CallTable table : assembly.callTables()) {
            all.addAll(table.registrations().registrations());
        }
        all.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return all;
    }

    /** The number of packets of the reported streams, each counted once. */
    public long rtpPackets() {
        return streams.packets();
    }

    /** The number of SIP requests, retransmissions included. */
    public long sipRequests() {
        return assembly.callTables().stream().mapToLong(CallTable::requests).sum();
    }

    /** The number of SIP responses, retransmissions included. */
    public long sipResponses() {
        return assembly.callTables().stream().mapToLong(CallTable::responses).sum();
    }

    /** The number of distinct Call-IDs. */
    public long callIds() {
        return assembly.callTables().stream().mapToLong(CallTable::callIds).sum();
    }

    /** Calls and streams whose report failed because of a bug in this library; the place is where each began. */
    public PlacedCount failedReports() {
        return counters.failedReports();
    }

    /** RTP packets that were skipped because the statistics failed at them. */
    public PlacedCount failedPackets() {
        PlacedCount sum = new PlacedCount();
        assembly.streamTables().forEach(table -> sum.add(table.failedPackets()));
        return sum;
    }

    /** The exception of one of these failures; null if there was none. */
    public @Nullable RuntimeException defect() {
        RuntimeException first = counters.defect();
        for (StreamTable table : assembly.streamTables()) {
            first = first == null ? table.defect() : first;
        }
        return first;
    }

    /** What was not understood, dropped or evicted, by name, and where. */
    public Map<String, PlacedCount> counters() {
        return counters.byName(assembly);
    }
}
