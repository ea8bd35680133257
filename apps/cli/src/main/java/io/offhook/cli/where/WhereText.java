package io.offhook.cli.where;

import io.offhook.calls.CallReport;
import io.offhook.calls.points.ClockLine;
import io.offhook.calls.points.ClockStep;
import io.offhook.calls.points.LostMessage;
import io.offhook.calls.points.PointsReport;
import io.offhook.calls.points.StreamWay;
import io.offhook.calls.relay.SegmentFigures;
import io.offhook.cli.input.CaptureSummary;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The comparison of points for people: a table of streams, what it means in words, and what is known of the clocks. */
final class WhereText {
    /** Of sentences about losses, and of rows of messages. */
    private static final int MOST_LINES = 40;

    private final WhereResult result;
    private final PointsReport report;
    private final Times times;
    private final Terminal terminal;
    private final boolean colored;

    WhereText(WhereResult result, Times times, Terminal terminal, boolean colored) {
        this.result = result;
        report = result.report();
        this.times = times;
        this.terminal = terminal;
        this.colored = colored;
    }

    void print() throws IOException {
        table();
        messages();
        sentences(new WhereSentences(result).losses(), Style.BAD);
        terminal.out().append('\n');
        for (int i = 0; i < result.files().size(); i++) {
            PointFile file = result.files().get(i);
            line(
                    file.name() + ": " + file.path() + ", "
                            + CaptureSummary.line(file.result().capture()),
                    Style.PLAIN);
            CaptureSummary.counters(file.result().capture(), terminal);
            if (i > 0) {
                line(clock(i), Style.PLAIN);
            }
            for (ClockStep step : report.steps().get(i)) {
                line(step(file.name(), step), Style.BAD);
            }
        }
        terminal.out().append('\n');
        sentences(new WhereSentences(result).summary(), Style.PLAIN);
    }

    private void table() throws IOException {
        if (result.streams().isEmpty()) {
            return;
        }
        Table table = new Table(List.of(
                Table.Column.keyNumber("#"),
                Table.Column.key("Call", 14),
                Table.Column.text("Side", 90, 6),
                Table.Column.text("Way", 99, 5),
                Table.Column.number("Before", 80),
                Table.Column.number("At 1st", 85),
                Table.Column.number("Lost", 98),
                Table.Column.number("At 2nd", 84),
                Table.Column.number("After", 79),
                Table.Column.number("Delay ms", 70),
                Table.Column.number("Max", 59),
                Table.Column.number("Min", 40),
                Table.Column.number("Spread", 30),
                Table.Column.number("Loss %", 50),
                Table.Column.text("Codec", 20, 5)));
        for (StreamWay way : result.streams()) {
            for (int i = 0; i < Math.max(1, way.segments().size()); i++) {
                row(table, way, i);
            }
        }
        table.print(terminal, colored);
        if (result.streams().stream().anyMatch(way -> way.fate().kind() == StreamWay.Kind.COMPARED)) {
            line(
                    "Before: lost before the first point. After: lost after the last one, by the receiver's RTCP. Packets are"
                            + " those of the stretch that both captures cover.",
                    Style.FAINT);
        }
    }

    private void row(Table table, StreamWay way, int segment) {
        CallReport call = result.call(way.callNumber());
        Table.Row row = table.row()
                .cell(call == null ? "" : Integer.toString(way.callNumber()))
                .cell(
                        call == null
                                ? way.stream().source() + " > " + way.stream().destination()
                                : parties(call))
                .cell(way.from() == null ? "" : way.from().label());
        if (way.segments().isEmpty()) {
            row.cell(result.name(way.stops().getFirst().point()))
                    .cell("")
                    .cell(Decimals.grouped(way.stream().statistics().distinct()));
            return;
        }
        SegmentFigures figures = way.segments().get(segment).figures();
        StreamWay.After after = segment + 1 == way.segments().size() ? way.after() : null;
        row.cell(stops(way, segment))
                .cell(
                        segment == 0 ? Decimals.grouped(way.lostBeforeBoth()) : "",
                        style(segment == 0 ? way.lostBeforeBoth() : 0))
                .cell(Decimals.grouped(figures.present()))
                .cell(Decimals.grouped(figures.lost()), style(figures.lost()))
                .cell(Decimals.grouped(figures.arrived()))
                .cell(after == null ? "" : Decimals.grouped(after.lost()), style(after == null ? 0 : after.lost()));
        delays(row, figures, WhereFields.isComparable(result, way, segment));
        row.cell(Decimals.text(figures.lossPercent(), 1)).cell(way.stream().codec());
    }

    private static void delays(Table.Row row, SegmentFigures figures, boolean isComparable) {
        SegmentFigures.Delay delay = figures.delay();
        if (figures.matched() == 0) {
            row.cell("").cell("").cell("").cell("");
            return;
        }
        double least = isComparable ? 0 : delay.minMs();
        String sign = isComparable ? "" : "+";
        row.cell(sign + Decimals.text(delay.medianMs() - least, 1))
                .cell(sign + Decimals.text(delay.maxMs() - least, 1))
                .cell(sign + Decimals.text(delay.minMs() - least, 1))
                .cell(Decimals.text(delay.spreadMs(), 1));
    }

    private String stops(StreamWay way, int segment) {
        String separator = way.segments().get(segment).isOrdered() ? " > " : ", ";
        return result.name(way.stops().get(segment))
                + separator
                + result.name(way.stops().get(segment + 1));
    }

    private static Style style(long lost) {
        return lost > 0 ? Style.BAD : Style.PLAIN;
    }

    private static String parties(CallReport call) {
        return name(call.parties().from()) + " > " + name(call.parties().to());
    }

    private static String name(@Nullable String party) {
        return party == null ? "?" : party;
    }

    private void messages() throws IOException {
        if (result.messages().isEmpty()) {
            return;
        }
        terminal.out().append('\n');
        Table table = new Table(List.of(
                Table.Column.keyNumber("#"),
                Table.Column.time("Time", 70),
                Table.Column.key("Message", 12),
                Table.Column.number("CSeq", 40),
                Table.Column.text("At", 95, 2),
                Table.Column.text("Not at", 95, 6),
                Table.Column.text("Meaning", 96, 22),
                Table.Column.text("Source", 50, 15),
                Table.Column.text("Destination", 50, 15)));
        List<LostMessage> shown =
                result.messages().subList(0, Math.min(result.messages().size(), MOST_LINES));
        for (LostMessage message : shown) {
            table.row()
                    .cell(message.callNumber() == 0 ? "" : Integer.toString(message.callNumber()))
                    .cell(times.timeOfDay(message.seen().atNs()))
                    .cell(message.what())
                    .cell(Long.toString(message.cseq()))
                    .cell(result.name(message.seen().point()))
                    .cell(result.name(message.missingAt()))
                    .cell(WhereSentences.meaning(message), style(message.way() == LostMessage.Way.LOST ? 1 : 0))
                    .cell(message.seen().source().toString())
                    .cell(message.seen().destination().toString());
        }
        table.print(terminal, colored);
        more(result.messages().size() - shown.size(), "message");
    }

    private void more(int count, String noun) throws IOException {
        if (count > 0) {
            terminal.out()
                    .append("and ")
                    .append(Words.count(count, "more " + noun))
                    .append("; --format json has all\n");
        }
    }

    private void sentences(List<String> sentences, Style style) throws IOException {
        if (!sentences.isEmpty() && style == Style.BAD) {
            terminal.out().append('\n');
        }
        for (String sentence : sentences.subList(0, Math.min(sentences.size(), MOST_LINES))) {
            line(sentence, style);
        }
        more(sentences.size() - MOST_LINES, "line");
    }

    private void line(String text, Style style) throws IOException {
        for (String part : Text.wrap(text, terminal.width())) {
            StringBuilder line = new StringBuilder();
            style.append(line, part, colored);
            terminal.out().append(line).append('\n');
        }
    }

    /** What is known of the clock of a point. */
    private String clock(int point) {
        ClockLine clock = report.clocks().get(point);
        String name = result.name(point);
        if (clock == null) {
            return name + " shares no stream and no SIP message with the captures before it: nothing can be compared.";
        }
        String samples = Words.count(clock.samples(), "packet") + " in common";
        return switch (clock.basis()) {
            case SAME -> "Clock of " + name + ": that of A, as --same-clock says.";
            case BOTH_DIRECTIONS ->
                "Clock of " + name + ": " + offset(clock.offsetNs()) + " A's, give or take "
                        + Decimals.text(clock.uncertaintyNs() / 1e6, 3) + " ms; " + drift(clock) + ". By " + samples
                        + "; the fastest of both directions are taken to be equally fast.";
            case ONE_DIRECTION ->
                "Clock of " + name
                        + ": its offset cannot be told from the delay, as nothing was seen that passes the points in"
                        + " the other order; together they are " + Decimals.text(clock.offsetNs() / 1e6, 3)
                        + " ms for the fastest of " + samples + ". Delays are those above the fastest; " + drift(clock)
                        + ". If both captures used one clock, give --same-clock.";
        };
    }

    private String step(String name, ClockStep step) {
        return "The clock of " + name + " was set " + (step.byNs() < 0 ? "back" : "forward") + " by "
                + Decimals.text(Math.abs(step.byNs()) / 1e6, 1) + " ms at " + times.timeOfDay(step.beforeNs())
                + ", while it captured: times after that are taken as if it had not been.";
    }

    private static String offset(double ns) {
        return Decimals.text(Math.abs(ns) / 1e6, 3) + " ms " + (ns < 0 ? "behind" : "ahead of");
    }

    private static String drift(ClockLine clock) {
        if (Double.isNaN(clock.driftPpm())) {
            return "too little time for a drift";
        }
        String error = Decimals.text(clock.driftErrorPpm(), 1) + " ppm";
        return clock.hasDrift()
                ? Decimals.text(Math.abs(clock.driftPpm()), 1) + " ppm " + (clock.driftPpm() > 0 ? "faster" : "slower")
                        + ", give or take " + error
                : "no drift beyond " + error;
    }
}
