package io.offhook.cli.xray;

import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.monitor.xray.Cause;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An X-ray for people: causes, the longest gaps, and the ladders of their calls. */
final class XrayText {
    private static final int MOST_GAPS = 10;
    private static final int MOST_LADDERS = 3;
    private static final int MOST_WHAT = 3;
    /** What has less than one part in so many of a cause is not worth a word. */
    private static final int LEAST_PART = 50;

    private static final int OTHER_LINES = 14;

    private final Terminal terminal;
    private final Times times;
    private final boolean isColored;

    XrayText(Terminal terminal, OutputOptions output) {
        this.terminal = terminal;
        times = output.times();
        isColored = terminal.isColored(output.color());
    }

    /** Appends what fits on the terminal. */
    void page(XrayState state, XrayTotals totals, StringBuilder text) throws IOException {
        heading(state, totals, text);
        causes(totals, text);
        gaps(
                totals,
                Math.clamp(
                        (long) terminal.height() - OTHER_LINES - totals.causes().size(), 1, MOST_GAPS),
                text);
    }

    /** Appends all. */
    void report(XrayState state, XrayTotals totals, CallLog log, StringBuilder text) throws IOException {
        heading(state, totals, text);
        causes(totals, text);
        gaps(totals, MOST_GAPS, text);
        Set<String> calls = new LinkedHashSet<>();
        for (JudgedGap judged : totals.longest()) {
            if (calls.size() < MOST_LADDERS) {
                calls.add(judged.gap().came().callId());
            }
        }
        XrayLadder ladder = new XrayLadder(times, terminal.width(), isColored);
        calls.forEach(callId -> ladder.append(callId, log.of(callId), text));
        if (!calls.isEmpty()) {
            line(text.append('\n'), legend(), Style.FAINT);
        }
        if (state.isEnded()) {
            text.append("The process has ended.\n");
        }
    }

    private static String legend() {
        List<String> parts = new ArrayList<>();
        for (Cause cause : Cause.values()) {
            parts.add(cause.letter() + " " + cause.label());
        }
        return String.join("   ", parts);
    }

    private void heading(XrayState state, XrayTotals totals, StringBuilder text) {
        text.append(state.process().pid()).append("  ");
        text.append(Text.printable(state.process().commandLine())).append('\n');
        line(
                text,
                Words.count(totals.count(), "gap") + " of " + Times.delay(totals.ns()) + " together"
                        + (totals.unanswered() == 0
                                ? ""
                                : ", " + Words.count(totals.unanswered(), "request") + " without answer")
                        + " in " + Times.delay(state.elapsedNs()) + "; "
                        + Decimals.grouped(state.messages().in())
                        + " messages in, " + Decimals.grouped(state.messages().out()) + " out, "
                        + Decimals.grouped(state.messages().others()) + " of others on " + state.interfaces()
                        + "; sampled each " + Decimals.text(state.periodNs() / 1e6, 1) + " ms, which takes "
                        + Decimals.text(state.ownShare() * 100, 1) + " % of a processor",
                Style.PLAIN);
        if (state.counts().drops() > 0) {
            line(
                    text,
                    Words.count(state.counts().drops(), "packet") + " dropped: gaps may be missing, or seem longer"
                            + "; --filter 'port 5060' spares the media.",
                    Style.WARNING);
        }
        if (state.messages().in() + state.messages().out() == 0) {
            line(
                    text,
                    "No SIP message of the process yet: it may use another interface, TLS, or be idle.",
                    Style.WARNING);
        }
        state.notes().forEach(note -> line(text, note + ".", Style.WARNING));
    }

    private void line(StringBuilder text, String line, Style style) {
        for (String part : Text.wrap(Text.printable(line), terminal.width())) {
            style.append(text, part, isColored);
            text.append('\n');
        }
    }

    private void causes(XrayTotals totals, StringBuilder text) throws IOException {
        if (totals.causes().isEmpty()) {
            return;
        }
        text.append('\n');
        Table table = new Table(List.of(
                Table.Column.key("Cause", 12),
                Table.Column.number("Share %", 90),
                Table.Column.number("Seconds", 80),
                Table.Column.number("Gaps", 70),
                Table.Column.wholeText("What", 75, 20)));
        for (Map.Entry<Cause, XrayTotals.Sum> one : totals.causes().entrySet()) {
            XrayTotals.Sum sum = one.getValue();
            List<String> what = new ArrayList<>();
            for (Map.Entry<String, Long> each : sum.what(MOST_WHAT)) {
                if (each.getValue() * LEAST_PART >= sum.ns()) {
                    what.add(each.getKey() + " (" + Times.delay(each.getValue()) + ")");
                }
            }
            table.row()
                    .cell(one.getKey().label(), style(one.getKey()))
                    .cell(Decimals.text(100.0 * sum.ns() / Math.max(1, totals.ns()), 1))
                    .cell(Decimals.text(sum.ns() / 1e9, 3))
                    .cell(Decimals.grouped(sum.gaps()))
                    .cell(String.join("; ", what));
        }
        table.print(text, terminal, isColored);
    }

    private void gaps(XrayTotals totals, int most, StringBuilder text) throws IOException {
        if (totals.longest().isEmpty()) {
            return;
        }
        text.append('\n');
        Table table = new Table(List.of(
                Table.Column.keyNumber("Longest, ms"),
                Table.Column.time("Time", 60),
                Table.Column.text("In", 80, 6),
                Table.Column.text("Out", 78, 6),
                Table.Column.text("Call-ID", 50, 12),
                Table.Column.text("Causes, %", 85, 12),
                Table.Column.wholeText("What", 70, 20)));
        totals.longest().stream().limit(most).forEach(judged -> {
            FoundGap gap = judged.gap();
            table.row()
                    .cell(Decimals.text(gap.ns() / 1e6, 1))
                    .cell(times.timeOfDayMicros(gap.fromNs()))
                    .cell(gap.from() + (gap.repeats() == 0 ? "" : " (sent " + (gap.repeats() + 1) + " times)"))
                    .cell(gap.to(), gap.isAnswered() ? Style.PLAIN : Style.BAD)
                    .cell(gap.came().callId())
                    .cell(shares(judged), style(judged.main()))
                    .cell(judged.what(judged.main()));
        });
        table.print(text, terminal, isColored);
    }

    /** "monitor 97, cpu 3": the causes that have a hundredth or more, the greatest first. */
    static String shares(JudgedGap judged) {
        List<String> parts = new ArrayList<>();
        judged.byCause().entrySet().stream()
                .sorted(Map.Entry.<Cause, Long>comparingByValue().reversed())
                .forEach(one -> {
                    long percent = Math.round(
                            100.0 * one.getValue() / Math.max(1, judged.gap().ns()));
                    if (percent > 0) {
                        parts.add(XrayFields.name(one.getKey()) + " " + percent);
                    }
                });
        return String.join(", ", parts);
    }

    /** The colour of a cause. */
    static Style style(Cause cause) {
        return switch (cause) {
            case GC, SAFEPOINT, MONITOR -> Style.BAD;
            case RUN_QUEUE, UNREAD -> Style.WARNING;
            case CPU -> Style.GOOD;
            case WAITING -> Style.NOTE;
            case UNSEEN -> Style.FAINT;
        };
    }
}
