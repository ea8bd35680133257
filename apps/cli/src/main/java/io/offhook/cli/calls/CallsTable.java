package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.calls.StreamReport;
import io.offhook.cli.input.CaptureSummary;
import io.offhook.cli.terminal.DayLines;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.ProblemText;
import io.offhook.report.StreamFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import io.offhook.rtp.quality.Quality;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls as a table, followed by a summary. */
public final class CallsTable {
    private static final double GOOD_MOS = 4.0;
    private static final double FAIR_MOS = 3.6;

    private final AnalysisResult result;
    private final Times times;
    private final CallRanking ranking;
    private final boolean allProblems;

    /**
     * @param ranking the order of the calls, whose figure is shown
     * @param allProblems whether to show notes, too
     */
    CallsTable(AnalysisResult result, Times times, CallRanking ranking, boolean allProblems) {
        this.result = result;
        this.times = times;
        this.ranking = ranking;
        this.allProblems = allProblems;
    }

    /**
     * Prints all calls and streams of a result, as {@code offhook calls} does without options.
     *
     * @param times formats the times
     */
    public static void print(AnalysisResult result, Times times, Terminal terminal, boolean colored)
            throws IOException {
        new CallsTable(result, times, CallRanking.NONE.until(result.capture().lastNs()), false)
                .print(result.calls(), result.streams(), terminal, colored);
    }

    /**
     * Prints the table.
     *
     * @param calls the selected calls
     * @param streams the selected streams that belong to no call
     */
    void print(List<CallReport> calls, List<StreamReport> streams, Terminal terminal, boolean colored)
            throws IOException {
        Writer out = terminal.out();
        if (!calls.isEmpty()) {
            LegsText legs = LegsText.isNeeded(calls) ? new LegsText(result.calls()) : null;
            String figure = ranking.column();
            Table table = figure == null ? table(legs != null) : table(legs != null, Table.Column.number(figure, 65));
            DayLines days = new DayLines(times, table);
            IdentityHashMap<CallReport, Integer> numbers = numbers();
            for (CallReport call : calls) {
                days.at(call.times().startedNs());
                Table.Row row = start(
                        table,
                        times,
                        numbers.getOrDefault(call, 0),
                        legs == null ? null : legs.of(call),
                        call,
                        result.capture().lastNs());
                if (figure != null) {
                    row.cell(ranking.cell(call));
                }
                problems(row, call, allProblems);
            }
            table.print(terminal, colored);
            out.append('\n');
        }
        for (String line : Text.wrap(summary(calls) + ".", terminal.width())) {
            out.append(line).append('\n');
        }
        out.append(CaptureSummary.line(result.capture())).append('\n');
        if (!streams.isEmpty()) {
            out.append(Words.count(streams.size(), "RTP stream")).append(" of no call; see offhook streams.\n");
        }
        CaptureSummary.counters(result.capture(), terminal);
        String encrypted = CaptureSummary.encryptedSignalling(result.capture());
        if (!encrypted.isEmpty()) {
            out.append(encrypted).append(".\n");
        }
        mosNotes(calls, terminal);
        if (result.capture().sipRequests() + result.capture().sipResponses() == 0
                && result.streams().isEmpty()) {
            out.append(encrypted.isEmpty() ? "No SIP was found. offhook info shows what there is, " : "")
                    .append("offhook streams finds RTP without SIP.\n");
        }
    }

    /** Numbers all calls from 1, including those that the filter excludes; {@code offhook call} accepts the number. */
    private IdentityHashMap<CallReport, Integer> numbers() {
        IdentityHashMap<CallReport, Integer> numbers = new IdentityHashMap<>();
        for (CallReport call : result.calls()) {
            numbers.put(call, numbers.size() + 1);
        }
        return numbers;
    }

    /**
     * An empty table.
     *
     * @param hasLegs whether it has a column for the legs of calls
     * @param further columns before the last one
     */
    static Table table(boolean hasLegs, Table.Column... further) {
        List<Table.Column> columns = new ArrayList<>(List.of(
                Table.Column.keyNumber("#"),
                Table.Column.time("Time", 45),
                Table.Column.key("From", 16),
                Table.Column.key("To", 16),
                Table.Column.text("Outcome", 95, 11),
                Table.Column.number("Set-up", 20),
                Table.Column.number("Length", 40),
                Table.Column.text("Codec", 10, 5),
                Table.Column.number("MOS", 50)));
        columns.addAll(List.of(further));
        columns.add(Table.Column.wholeText("Why", 90, 12));
        if (hasLegs) {
            columns.add(1, Table.Column.text("Legs", 85, 6));
        }
        return new Table(columns);
    }

    /**
     * Adds a row.
     *
     * @param legs what is shown of its legs; null if the table has no column for them
     * @param untilNs the time up to which calls in progress are measured
     * @param allProblems whether to show notes, too
     */
    static void add(
            Table table,
            Times times,
            int number,
            @Nullable String legs,
            CallReport call,
            long untilNs,
            boolean allProblems) {
        problems(start(table, times, number, legs, call, untilNs), call, allProblems);
    }

    /** Adds a row up to its MOS. */
    private static Table.Row start(
            Table table, Times times, int number, @Nullable String legs, CallReport call, long untilNs) {
        Quality worst = StreamFields.worstQuality(call);
        Table.Row row = table.row().cell(Integer.toString(number));
        if (legs != null) {
            row.cell(legs);
        }
        return row.cell(times.timeOfDay(call.times().startedNs()))
                .cell(party(call.parties().from(), call.parties().fromUri()))
                .cell(party(call.parties().to(), call.parties().toUri()))
                .cell(call.outcome().label(), CallOutcomes.style(call.outcome()))
                .cell(
                        call.times().setUpNs() == CallReport.NEVER
                                ? ""
                                : Times.delay(call.times().setUpNs()))
                .cell(length(call, untilNs))
                .cell(call.codec())
                .cell(worst == null ? "" : mos(worst), worst == null ? Style.PLAIN : style(worst.mos()));
    }

    private static void problems(Table.Row row, CallReport call, boolean allProblems) {
        row.cell(String.join(", ", ProblemText.of(call, allProblems)), call.isBad() ? Style.BAD : Style.PLAIN);
    }

    /** "0:28"; "~0:28" if its answer was not captured, "0:28+" if the call continues after the end of the capture. */
    public static String length(CallReport call, long untilNs) {
        if (call.times().durationNs() != CallReport.NEVER) {
            return (call.times().isDurationApproximate() ? "~" : "")
                    + Times.duration(call.times().durationNs());
        }
        boolean goesOn = call.outcome() == Outcome.ONGOING && call.times().answeredNs() != CallReport.NEVER;
        return goesOn && untilNs >= call.times().answeredNs()
                ? Times.duration(untilNs - call.times().answeredNs()) + "+"
                : "";
    }

    /** The user part, or the URI if it has none, as in "sip:192.0.2.1". */
    public static @Nullable String party(@Nullable String user, @Nullable String uri) {
        return user != null && !user.isEmpty() ? user : uri;
    }

    /** "3.9 nb", "~4.2 fb" for an estimate, "3.9? nb" if the capture itself lost packets. */
    public static String mos(Quality quality) {
        return (quality.isEstimate() ? "~" : "")
                + Decimals.text(quality.mos(), 1)
                + (quality.trusted() ? "" : "?")
                + ' '
                + quality.scale().abbreviation();
    }

    public static Style style(double mos) {
        return mos >= GOOD_MOS ? Style.GOOD : mos >= FAIR_MOS ? Style.WARNING : Style.BAD;
    }

    /** "14 calls: 9 answered, 5 busy; 6 bad", "3 of 14 calls: 3 busy; 3 bad". */
    private String summary(List<CallReport> calls) {
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        int bad = 0;
        for (CallReport call : calls) {
            counts.merge(call.outcome(), 1, Integer::sum);
            bad += call.isBad() ? 1 : 0;
        }
        List<String> outcomes = new ArrayList<>();
        counts.forEach((outcome, count) -> outcomes.add(Decimals.grouped(count) + " " + outcome.label()));
        int all = result.calls().size();
        String shown = calls.size() == all ? "" : Decimals.grouped(calls.size()) + " of ";
        String head = shown + Words.count(all, "call");
        return calls.isEmpty()
                ? head
                : head + ": " + String.join(", ", outcomes) + (bad == 0 ? "" : "; " + Decimals.grouped(bad) + " bad");
    }

    private static void mosNotes(List<CallReport> calls, Terminal terminal) throws IOException {
        boolean rated = false;
        boolean untrusted = false;
        for (CallReport call : calls) {
            Quality worst = StreamFields.worstQuality(call);
            rated |= worst != null;
            untrusted |= worst != null && !worst.trusted();
        }
        if (rated) {
            mosNote(terminal);
        }
        if (untrusted) {
            terminal.out().append("?: the capture itself lost packets, listeners may have heard better.\n");
        }
    }

    /** Explains how MOS is computed, below tables that do not show all inputs. */
    static void mosNote(Terminal terminal) throws IOException {
        String note =
                "MOS by the E-model (nb: G.107, wb: G.107.1, fb: G.107.2) with loss and jitter buffer; ~: estimate.";
        for (String line : Text.wrap(note, terminal.width())) {
            terminal.out().append(line).append('\n');
        }
    }
}
