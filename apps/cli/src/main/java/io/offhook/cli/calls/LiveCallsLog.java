package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.live.LiveCounts;
import io.offhook.report.ProblemText;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Live calls as a log for a pipe or a file: a line for each change or problem of a call, and for dropped packets. */
final class LiveCallsLog implements LiveCallsView {
    private static final int MOST_REMEMBERED = 1 << 14;

    private final Terminal terminal;
    private final Times times;
    /** The last line of each call. An ended call is printed again only if its line changed. */
    private final Map<String, String> said = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    private String dropped = LiveHeading.dropped(LiveCounts.NONE, List.of());

    LiveCallsLog(Terminal terminal, Times times) {
        this.terminal = terminal;
        this.times = times;
    }

    @Override
    public void show(AnalysisResult standing, List<CallReport> changed, LiveCounts counts, long nowNs)
            throws IOException {
        for (CallReport call : changed) {
            String line = line(call);
            if (!line.equals(said.put(call.callId(), line))) {
                terminal.out().append(line);
            }
        }
        String now = LiveHeading.dropped(counts, standing.capture().counters());
        if (!now.equals(dropped)) {
            dropped = now;
            terminal.out()
                    .append(times.timeOfDay(nowNs))
                    .append(' ')
                    .append(now)
                    .append('\n');
        }
        terminal.flush();
    }

    /** "14:03:07.125 alice -> bob answered, 0:28: one-way audio: nothing from callee". */
    private String line(CallReport call) {
        StringBuilder out = new StringBuilder();
        out.append(times.timeOfDay(latestNs(call)))
                .append(' ')
                .append(party(
                        CallsTable.party(call.parties().from(), call.parties().fromUri())))
                .append(" -> ")
                .append(party(
                        CallsTable.party(call.parties().to(), call.parties().toUri())))
                .append(' ')
                .append(call.outcome().label());
        if (call.outcome() == Outcome.RINGING && call.times().ringingNs() == CallReport.NEVER) {
            out.append(" (invited)");
        }
        String length = CallsTable.length(call, CallReport.NEVER);
        if (!length.isEmpty()) {
            out.append(", ").append(length);
        }
        String parent = parent(call);
        if (parent != null) {
            out.append(", leg of ").append(Text.printable(parent));
        }
        List<String> problems = ProblemText.of(call);
        if (!problems.isEmpty()) {
            out.append(": ").append(Text.printable(String.join(", ", problems)));
        }
        return out.append('\n').toString();
    }

    /** The Call-ID whose leg it is; null if it is none. */
    private static @Nullable String parent(CallReport call) {
        for (CallReport.Dialog dialog : call.dialogs()) {
            CallReport.Join join = dialog.join();
            if (join != null && dialog.callId().equals(call.callId())) {
                return join.parentCallId();
            }
        }
        return null;
    }

    private static String party(@Nullable String name) {
        return Text.printable(Objects.requireNonNullElse(name, "?"));
    }

    /** The time of the last step of a call. */
    private static long latestNs(CallReport call) {
        long latestNs = call.times().startedNs();
        for (long ns : new long[] {
            call.times().progressNs(),
            call.times().ringingNs(),
            call.times().answeredNs(),
            call.times().endedNs()
        }) {
            latestNs = Math.max(latestNs, ns);
        }
        return latestNs;
    }
}
