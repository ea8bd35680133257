package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.cli.terminal.RedrawnPage;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LiveCounts;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Live calls on a terminal: a separate page that is redrawn in place. Calls in progress come first, the newest on top, then
 * ended calls. The previous page is restored at the end.
 */
final class LiveCallsScreen implements LiveCallsView {
    /** Lines of the page besides calls: two of figures, an empty one, the heading, and the note on hidden calls. */
    private static final int OTHER_LINES = 5;

    /** The number of ended calls remembered for display. */
    private static final int MOST_ENDED = 200;

    /** A call that was shown. */
    private static final class Shown {
        final int number;
        CallReport call;
        boolean isStanding;

        Shown(int number, CallReport call) {
            this.number = number;
            this.call = call;
        }

        /** Whether the call has ended so far; a challenged call counts as failed until it is retried. */
        boolean isEnded() {
            return call.outcome() != Outcome.ONGOING && call.outcome() != Outcome.RINGING;
        }

        boolean isBad() {
            return call.isBad();
        }
    }

    private final Terminal terminal;
    private final Times times;
    private final boolean colored;
    private final LiveHeading heading;
    private final RedrawnPage page;
    private final Map<String, Shown> shown = new LinkedHashMap<>();
    private final Predicate<CallReport> wanted;
    private int calls;
    /** The number of ended calls that are no longer remembered. */
    private int goneEnded;

    private int goneBad;

    /** @param wanted selects the calls that are shown */
    LiveCallsScreen(
            Terminal terminal, Times times, boolean colored, LiveHeading heading, Predicate<CallReport> wanted) {
        this.terminal = terminal;
        page = new RedrawnPage(terminal);
        this.times = times;
        this.colored = colored;
        this.heading = heading;
        this.wanted = wanted;
    }

    @Override
    public void show(AnalysisResult standing, List<CallReport> changed, LiveCounts counts, long nowNs)
            throws IOException {
        page.measure();
        remember(standing.calls());
        if (terminal.isBehind()) {
            return; // Ctrl-S, or a slow line: the next page is as good as this one
        }
        StringBuilder text = new StringBuilder(1 << 13);
        text.append(heading.line(counts, standing.capture().bytes(), nowNs))
                .append("; ")
                .append(summary())
                .append('\n')
                .append(heading.drops(counts, standing.capture().counters()))
                .append("\n\n");
        List<Shown> rows = rows(terminal.height() - OTHER_LINES);
        Table table = CallsTable.table(false);
        for (Shown row : rows) {
            CallsTable.add(table, times, row.number, null, row.call, nowNs, false);
        }
        if (!table.isEmpty()) {
            table.print(text, terminal, colored);
        }
        if (rows.size() < shown.size() && standing(shown.values()) > standing(rows)) {
            text.append("and ")
                    .append(Words.count(standing(shown.values()) - standing(rows), "call"))
                    .append(" more.");
        }
        page.draw(text);
    }

    private void remember(List<CallReport> standing) {
        shown.values().forEach(row -> row.isStanding = false);
        for (CallReport call : standing) {
            if (wanted.test(call) || shown.containsKey(call.callId())) {
                Shown row = shown.computeIfAbsent(call.callId(), id -> new Shown(++calls, call));
                row.call = call;
                row.isStanding = true;
            }
        }
        int surplus = shown.size() - standing(shown.values()) - MOST_ENDED;
        for (Iterator<Shown> rows = shown.values().iterator(); surplus > 0 && rows.hasNext(); ) {
            Shown row = rows.next();
            if (!row.isStanding) {
                rows.remove();
                surplus--;
                goneEnded += row.isEnded() ? 1 : 0;
                goneBad += row.isBad() ? 1 : 0;
            }
        }
    }

    private static int standing(Iterable<Shown> rows) {
        int count = 0;
        for (Shown row : rows) {
            count += row.isStanding ? 1 : 0;
        }
        return count;
    }

    /** "3 calls go on, 14 ended, 2 bad". */
    private String summary() {
        int on = 0;
        int ended = goneEnded;
        int bad = goneBad;
        for (Shown row : shown.values()) {
            on += row.isStanding && !row.isEnded() ? 1 : 0;
            ended += row.isEnded() ? 1 : 0;
            bad += row.isBad() ? 1 : 0;
        }
        return Words.count(on, "call") + (on == 1 ? " goes on, " : " go on, ") + Decimals.grouped(ended) + " ended, "
                + Decimals.grouped(bad) + " bad";
    }

    /** Calls in progress, then ended calls, each newest first. */
    private List<Shown> rows(int most) {
        List<Shown> rows = new ArrayList<>(shown.values());
        rows.sort((a, b) -> a.isEnded() == b.isEnded()
                ? Integer.compare(b.number, a.number)
                : Boolean.compare(a.isEnded(), b.isEnded()));
        return rows.size() > most ? rows.subList(0, most) : rows;
    }

    @Override
    public void end() {
        page.close();
    }
}
