package io.offhook.cluster.command;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.cluster.calls.CaptureEvents;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.EventOrigin;
import io.offhook.cluster.event.SipMessage;
import io.offhook.cluster.file.EventFile;
import io.offhook.cluster.file.Sequences;
import io.offhook.cluster.operator.CallResult;
import io.offhook.cluster.operator.OperatorCount;
import io.offhook.cluster.operator.OperatorOptions;
import io.offhook.cluster.operator.local.LocalRun;
import io.offhook.report.CallFields;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Calls as the operators make them: reads all events, and has them pass through the graph in this process. */
final class OperatorCalls {
    private static final byte[] RESPONSE = "SIP/".getBytes(StandardCharsets.US_ASCII);

    private record Partition(String probe, long incarnation, int partition) {}

    private final Sequences sequences = new Sequences();
    private final Map<Partition, List<Event>> partitions = new LinkedHashMap<>();
    private final CaptureEvents capture = new CaptureEvents();
    private final Set<Long> callIds = new HashSet<>();
    private long requests;
    private long responses;

    /** Reads a file to its end, or to where it is damaged. */
    void read(EventFile file) throws IOException {
        for (Event event = file.next(); event != null; event = file.next()) {
            EventOrigin origin = event.origin();
            if (sequences.isNew(origin)) {
                Partition partition = new Partition(origin.probe(), origin.incarnation(), origin.partition());
                partitions.computeIfAbsent(partition, _ -> new ArrayList<>()).add(event);
                boolean _ = capture.add(event);
                if (event.body() instanceof SipMessage sip) {
                    callIds.add(sip.callIdHash());
                    requests += isResponse(sip) ? 0 : 1;
                    responses += isResponse(sip) ? 1 : 0;
                }
            }
        }
    }

    /** Whether a message begins as responses do (RFC 3261, 7.2). */
    private static boolean isResponse(SipMessage message) {
        byte[] octets = message.message().toArray();
        return octets.length > RESPONSE.length
                && Arrays.mismatch(octets, 0, RESPONSE.length, RESPONSE, 0, RESPONSE.length) < 0;
    }

    /** What is known of the captures as a whole. */
    CaptureReport capture(List<CallReport> calls) {
        long packets = calls.stream()
                .flatMap(call -> call.streams().stream())
                .mapToLong(stream -> stream.statistics().packets())
                .sum();
        return EventCallsCommand.report(
                capture, new EventCallsCommand.Counted(requests, responses, callIds.size(), packets));
    }

    /** Has all that was read pass through so many instances of each operator. */
    LocalRun run(AnalysisOptions options, int instances) {
        LocalRun run = new LocalRun(OperatorOptions.of(options.media(), options.limits()), instances, null);
        partitions.values().forEach(events -> run.add(events.iterator()));
        partitions.clear();
        run.run();
        return run;
    }

    /** The calls of a run that has ended, in the order of time. */
    static List<CallReport> calls(LocalRun run) {
        return run.results().values().stream()
                .map(CallResult::call)
                .sorted(Comparator.comparingLong(
                                (CallReport call) -> call.times().firstSeenNs())
                        .thenComparingLong(CallReport::firstFrame)
                        .thenComparing(CallReport::callId))
                .toList();
    }

    /** What the operators counted, and the calls. */
    void json(JsonFields json, LocalRun run) throws IOException {
        json.object()
                .object("operators")
                .field("read", run.events())
                .field("repeated", sequences.repeated())
                .field("missing", sequences.missing())
                .field("messages", run.messages())
                .field("greatestStateOctets", run.greatestOctets())
                .object("counters");
        for (OperatorCount what : OperatorCount.values()) {
            if (run.count(what) > 0) {
                json.field(what.text(), run.count(what));
            }
        }
        json.end().end().line().array("calls");
        for (CallReport call : calls(run)) {
            json.line().object();
            CallFields.writeJson(json, call);
            json.end();
        }
        json.line().end().line().end();
    }
}
