package io.offhook.cli;

import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.live.LiveCounts;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls that go on, in a pipe or a file: a line each time one gets further, or has a problem. */
final class LiveCallsLog implements LiveCallsView {
    private final Terminal terminal;
    private final Times times;

    LiveCallsLog(Terminal terminal, Times times) {
        this.terminal = terminal;
        this.times = times;
    }

    @Override
    public void show(AnalysisResult standing, List<CallReport> changed, LiveCounts counts, long nowNs)
            throws IOException {
        for (CallReport call : changed) {
            line(call);
        }
        terminal.flush();
    }

    /** "14:03:07.125 alice -> bob answered, 0:28: one-way audio: nothing from callee". */
    private void line(CallReport call) throws IOException {
        Writer out = terminal.out();
        out.append(times.timeOfDay(latestNs(call)))
                .append(' ')
                .append(party(CallsTable.party(call.from(), call.fromUri())))
                .append(" -> ")
                .append(party(CallsTable.party(call.to(), call.toUri())))
                .append(' ')
                .append(call.outcome().label());
        if (call.outcome() == Outcome.RINGING && call.ringingNs() == CallReport.NEVER) {
            out.append(" (invited)");
        }
        String length = CallsTable.length(call, CallReport.NEVER);
        if (!length.isEmpty()) {
            out.append(", ").append(length);
        }
        if (!call.problems().isEmpty()) {
            out.append(": ").append(Text.printable(String.join(", ", call.problems())));
        }
        out.append('\n');
    }

    private static String party(@Nullable String name) {
        return Text.printable(Objects.requireNonNullElse(name, "?"));
    }

    /** Of its last step. */
    private static long latestNs(CallReport call) {
        long latestNs = call.startedNs();
        for (long ns : new long[] {call.progressNs(), call.ringingNs(), call.answeredNs(), call.endedNs()}) {
            latestNs = Math.max(latestNs, ns);
        }
        return latestNs;
    }
}
