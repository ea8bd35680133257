package io.offhook.cli.stats;

import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.calls.statistics.BusyHour;
import io.offhook.calls.statistics.CallFigures;
import io.offhook.calls.statistics.CallStatistics;
import io.offhook.calls.statistics.CallStatistics.Tally;
import io.offhook.calls.statistics.Spread;
import io.offhook.calls.statistics.TrunkFigures;
import io.offhook.cli.input.CaptureSummary;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Statistics for people: a line for each figure, then tables of what is counted. */
public final class StatsText {
    private static final int MOST_ROWS = 20;
    private static final int NAME_COLUMNS = 11;

    private final CallStatistics statistics;
    private final AnalysisResult result;
    private final Times times;
    private final Terminal terminal;
    private final boolean colored;

    StatsText(CallStatistics statistics, AnalysisResult result, Times times, Terminal terminal, boolean colored) {
        this.statistics = statistics;
        this.result = result;
        this.times = times;
        this.terminal = terminal;
        this.colored = colored;
    }

    /**
     * Prints the figures of calls.
     *
     * @param result of the capture that they are of
     */
    public static void print(
            List<CallReport> calls, AnalysisResult result, Times times, Terminal terminal, boolean colored)
            throws IOException {
        new StatsText(CallStatistics.of(calls), result, times, terminal, colored).print();
    }

    void print() throws IOException {
        CallFigures figures = statistics.figures();
        int all = result.calls().size();
        line(
                "Calls",
                (figures.calls() == all ? "" : Decimals.grouped(figures.calls()) + " of ")
                        + Decimals.grouped(all)
                        + list(statistics.outcomes(), outcome -> outcome.label()));
        if (figures.calls() > 0) {
            line("Attempts", Decimals.grouped(figures.attempts()) + attempts(figures));
            line("ASR", ratio(figures.answerSeizureRatioPercent(), figures.answered(), "answered"));
            line("NER", ratio(figures.networkEffectivenessRatioPercent(), figures.effective(), "reached the callee"));
            line("ACD", spread(figures.conversation(), Times::duration));
            line("PDD", spread(figures.postDialDelay(), Times::delay));
            busyHour();
            tally("Status", statistics.statuses(), status -> Integer.toString(status));
            tally("Q.850", statistics.causes(), cause -> Integer.toString(cause));
            tally("Codec", statistics.codecs(), codec -> codec);
            tally("Software", statistics.software(), software -> software);
            trunks();
        }
        Writer out = terminal.out();
        out.append('\n').append(CaptureSummary.line(result.capture())).append('\n');
        CaptureSummary.counters(result.capture(), terminal);
    }

    private static String attempts(CallFigures figures) {
        int others = figures.calls() - figures.attempts();
        return others == 0 ? "" : "; " + Decimals.grouped(others) + " without INVITE, redirected or still ringing";
    }

    private static <T> String list(List<Tally<T>> tallies, Function<T, String> name) {
        List<String> words = new ArrayList<>();
        for (Tally<T> tally : tallies) {
            words.add(Decimals.grouped(tally.calls()) + " " + name.apply(tally.what()));
        }
        return words.isEmpty() ? "" : ": " + String.join(", ", words);
    }

    private static String ratio(double percent, int part, String what) {
        return Double.isNaN(percent)
                ? "none"
                : Decimals.text(percent, 1) + " %, " + Decimals.grouped(part) + " " + what;
    }

    /** "0:08, median 0:08, 95 % within 0:10, longest 0:10 (10 calls)". */
    private static String spread(Spread spread, Function<Long, String> duration) {
        if (spread.count() == 0) {
            return "none";
        }
        return duration.apply(spread.meanNs()) + ", median " + duration.apply(spread.medianNs()) + ", 95 % within "
                + duration.apply(spread.percentile95Ns()) + ", longest " + duration.apply(spread.longestNs()) + " ("
                + Words.count(spread.count(), "call") + ")";
    }

    private void busyHour() throws IOException {
        BusyHour hour = statistics.busyHour();
        if (hour == null) {
            return;
        }
        CaptureReport capture = result.capture();
        long captured = StatsFields.capturedNs(hour, capture);
        String partly = captured < BusyHour.LENGTH_NS ? "; " + Times.duration(captured) + " of it captured" : "";
        line(
                "Busy hour",
                "from " + times.timeOfDay(hour.fromNs()) + " on " + times.dateLine(hour.fromNs()) + ": "
                        + Words.count(hour.attempts(), "attempt") + partly);
    }

    private void line(String name, String text) throws IOException {
        String head = name;
        for (String part : Text.wrap(text, Math.max(NAME_COLUMNS, terminal.width() - NAME_COLUMNS))) {
            StringBuilder line = new StringBuilder();
            Style.HEADING.append(line, head, colored);
            line.repeat(' ', NAME_COLUMNS - head.length()).append(part);
            terminal.out().append(line).append('\n');
            head = "";
        }
    }

    private <T> void tally(String title, List<Tally<T>> tallies, Function<T, String> name) throws IOException {
        if (tallies.isEmpty()) {
            return;
        }
        Table table = new Table(List.of(
                Table.Column.number("Calls", 90), Table.Column.number("%", 80), Table.Column.text(title, 100, 20)));
        for (Tally<T> tally : tallies.subList(0, Math.min(tallies.size(), MOST_ROWS))) {
            table.row()
                    .cell(Decimals.grouped(tally.calls()))
                    .cell(Decimals.text(
                            100.0 * tally.calls() / statistics.figures().calls(), 1))
                    .cell(name.apply(tally.what()));
        }
        print(table, tallies.size());
    }

    private void print(Table table, int rows) throws IOException {
        terminal.out().append('\n');
        table.print(terminal, colored);
        if (rows > MOST_ROWS) {
            terminal.out()
                    .append("and ")
                    .append(Decimals.grouped(rows - MOST_ROWS))
                    .append(" more; --format json lists all.\n");
        }
    }

    private void trunks() throws IOException {
        List<TrunkFigures> trunks = statistics.trunks();
        if (trunks.isEmpty()) {
            return;
        }
        Table table = new Table(List.of(
                Table.Column.text("Trunk", 95, 20),
                Table.Column.number("Calls", 90),
                Table.Column.number("Answered", 50),
                Table.Column.number("ASR %", 80),
                Table.Column.number("NER %", 70),
                Table.Column.number("ACD", 65),
                Table.Column.number("PDD", 62)));
        for (TrunkFigures trunk : trunks.subList(0, Math.min(trunks.size(), MOST_ROWS))) {
            CallFigures figures = trunk.figures();
            table.row()
                    .cell(StatsFields.direction(trunk) + " " + trunk.address())
                    .cell(Decimals.grouped(figures.calls()))
                    .cell(Decimals.grouped(figures.answered()))
                    .cell(percent(figures.answerSeizureRatioPercent()))
                    .cell(percent(figures.networkEffectivenessRatioPercent()))
                    .cell(mean(figures.conversation(), Times::duration))
                    .cell(mean(figures.postDialDelay(), Times::delay));
        }
        print(table, trunks.size());
    }

    private static String percent(double percent) {
        return Double.isNaN(percent) ? "" : Decimals.text(percent, 1);
    }

    private static String mean(Spread spread, Function<Long, String> duration) {
        return spread.meanNs() == CallReport.NEVER ? "" : duration.apply(spread.meanNs());
    }
}
