package io.offhook.cluster.operator;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.CallReport;
import io.offhook.calls.CallReports;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.Heartbeat;
import io.offhook.cluster.event.SipMessage;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamId;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.cluster.file.EventFile;
import io.offhook.cluster.message.BoundStream;
import io.offhook.cluster.message.StreamName;
import io.offhook.cluster.operator.local.LocalRun;
import io.offhook.sip.SipMessageView;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the operators over a file of events, in a plain loop: events a second, octets of state, and what one report costs. Not a
 * test: figures are for docs/CLUSTER.md.
 */
final class OperatorRateMain {
    private static final int ROUNDS = 25;
    private static final int REPORTS = 3000;

    private OperatorRateMain() {}

    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        List<Event> events = new ArrayList<>();
        try (EventFile file = new EventFile(Files.newInputStream(Path.of(args[0])))) {
            for (Event event = file.next(); event != null; event = file.next()) {
                events.add(event);
            }
        }
        long beats = events.stream()
                .filter(event -> event.body() instanceof Heartbeat)
                .count();
        out.printf("%d events, %d of them heartbeats%n", events.size(), beats);
        long leastNs = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            LocalRun run = new LocalRun(Graph.options(Graph.USUAL), 1, null);
            run.add(events.iterator());
            long fromNs = processorNs();
            run.run();
            leastNs = Math.min(leastNs, processorNs() - fromNs);
            if (round == ROUNDS - 1) {
                int calls = run.results().size();
                out.printf(
                        "%d calls, %.0f events/s, %.1f messages an event, %.1f reports a call, %.0f us a call%n",
                        calls,
                        events.size() * 1e9 / leastNs,
                        (double) run.messages() / events.size(),
                        (double) run.count(OperatorCount.REPORTS) / calls,
                        leastNs / 1000.0 / calls);
                out.printf("%d octets of state a call%n", run.greatestOctets() / calls);
                for (Stage stage : Stage.values()) {
                    out.printf("  %s %d%n", stage, run.greatestOctets(stage) / calls);
                }
                report(events, run.results().values().iterator().next().call(), out);
            }
        }
    }

    /** Processor time of this thread: other load on the machine does not count. */
    private static long processorNs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** What a report of one call costs, its octets already read. */
    private static void report(List<Event> events, CallReport call, PrintStream out) {
        long hash = SipMessageView.callIdHash(call.callId());
        List<Event> messages = new ArrayList<>();
        Map<StreamId, Event> begins = new HashMap<>();
        Map<StreamId, Event> intervals = new HashMap<>();
        for (Event event : events) {
            switch (event.body()) {
                case SipMessage sip when sip.callIdHash() == hash -> messages.add(event);
                case StreamBegin begin -> begins.put(begin.stream(), event);
                case StreamInterval interval
                when interval.ownerCallId().equals(call.callId()) ->
                    intervals.merge(interval.stream(), event, WholeStream::fold);
                default -> {}
            }
        }
        long leastNs = Long.MAX_VALUE;
        for (int i = 0; i < REPORTS; i++) {
            long fromNs = processorNs();
            CallParts parts = new CallParts(hash, messages);
            intervals.forEach((stream, event) ->
                    parts.add(new BoundStream(hash, StreamName.of(event.origin(), stream), begins.get(stream), event)));
            CallAssembly assembly = Dialog.assembly(Graph.USUAL.media(), Graph.USUAL.limits());
            long _ = parts.feed(assembly);
            int made = CallReports.of(assembly, events.getLast().atNs(), false, false)
                    .calls()
                    .size();
            leastNs = made == 1 ? Math.min(leastNs, processorNs() - fromNs) : leastNs;
        }
        out.printf(
                "a report of %d messages and %d streams: %.0f us%n",
                messages.size(), intervals.size(), leastNs / 1000.0);
    }
}
