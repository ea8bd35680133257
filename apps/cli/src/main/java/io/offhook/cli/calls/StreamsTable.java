package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.Problem;
import io.offhook.calls.StreamReport;
import io.offhook.cli.input.CaptureSummary;
import io.offhook.cli.terminal.DayLines;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.ProblemText;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import io.offhook.rtp.WiresharkStream;
import io.offhook.rtp.quality.Quality;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** A table of RTP streams, with our own figures or Wireshark's. */
final class StreamsTable {
    private final AnalysisResult result;
    private final Times times;

    StreamsTable(AnalysisResult result, Times times) {
        this.result = result;
        this.times = times;
    }

    void print(List<StreamsCommand.Line> lines, Terminal terminal, boolean colored) throws IOException {
        Writer out = terminal.out();
        if (!lines.isEmpty()) {
            boolean wireshark = lines.getFirst().stream().wireshark() != null;
            Table table = new Table(wireshark ? wiresharkColumns() : columns());
            DayLines days = new DayLines(times, table);
            for (StreamsCommand.Line line : lines) {
                days.at(line.stream().statistics().firstNs());
                WiresharkStream figures = line.stream().wireshark();
                if (figures == null) {
                    add(table, line);
                } else {
                    add(table, line, figures);
                }
            }
            table.print(terminal, colored);
            for (StreamsCommand.Line line : lines) {
                IntervalLines.print(
                        List.of(line.stream()), line.stream().statistics().firstNs(), terminal, colored);
            }
            out.append('\n');
        }
        out.append(Words.count(lines.size(), "RTP stream"))
                .append(".\n")
                .append(CaptureSummary.line(result.capture()))
                .append('\n');
        CaptureSummary.counters(result.capture(), terminal);
        if (lines.stream()
                .anyMatch(line ->
                        line.stream().wireshark() == null && line.stream().quality() != null)) {
            CallsTable.mosNote(terminal);
        }
    }

    private static List<Table.Column> columns() {
        return List.of(
                Table.Column.time("Time", 50),
                Table.Column.key("Source", 21),
                Table.Column.key("Destination", 21),
                Table.Column.text("SSRC", 55, 10),
                Table.Column.text("Codec", 73, 5),
                Table.Column.number("Packets", 71),
                Table.Column.number("Lost", 85),
                Table.Column.number("Twice", 20),
                Table.Column.number("Late", 20),
                Table.Column.number("Too late", 72),
                Table.Column.number("Jitter ms", 58),
                Table.Column.number("Max", 30),
                Table.Column.number("Gap ms", 40),
                Table.Column.number("MOS", 75),
                Table.Column.number("Loss %", 12),
                Table.Column.number("BurstR", 12),
                Table.Column.number("Delay ms", 12),
                Table.Column.number("Ie", 12),
                Table.Column.number("Bpl", 12),
                Table.Column.text("Digits", 25, 4),
                Table.Column.text("Call-ID", 10, 12),
                Table.Column.wholeText("Why", 53, 12));
    }

    /**
     * The problems of a stream in words; times are relative to its first packet.
     *
     * @param all whether to include notes
     */
    static List<String> problems(StreamsCommand.Line line, boolean all) {
        List<String> texts = new ArrayList<>();
        for (Problem problem : line.problems()) {
            if (all || problem.isBad()) {
                texts.add(ProblemText.of(problem, line.stream().statistics().firstNs()));
            }
        }
        return texts;
    }

    private void add(Table table, StreamsCommand.Line line) {
        StreamReport stream = line.stream();
        Table.Row row = StreamLines.figures(identity(table, line), stream);
        Quality quality = stream.quality();
        if (quality == null) {
            row.cell("").cell("").cell("").cell("").cell("").cell("");
        } else {
            row.cell(CallsTable.mos(quality), CallsTable.style(quality.mos()))
                    .cell(Decimals.text(quality.lossPercent(), 1))
                    .cell(Decimals.text(quality.burstRatio(), 2))
                    .cell(Decimals.text(quality.delayMs(), 0))
                    .cell(Decimals.shortest(quality.impairment().ie(), 1))
                    .cell(
                            Double.isNaN(quality.impairment().bpl())
                                    ? ""
                                    : Decimals.shortest(quality.impairment().bpl(), 1));
        }
        row.cell(StreamLines.digits(stream))
                .cell(line.callId())
                .cell(String.join(", ", problems(line, false)), Style.BAD);
    }

    private Table.Row identity(Table table, StreamsCommand.Line line) {
        return StreamLines.identity(
                table.row().cell(times.timeOfDay(line.stream().statistics().firstNs())), line.stream());
    }

    private static List<Table.Column> wiresharkColumns() {
        return List.of(
                Table.Column.time("Time", 50),
                Table.Column.key("Source", 21),
                Table.Column.key("Destination", 21),
                Table.Column.text("SSRC", 85, 10),
                Table.Column.text("Codec", 45, 5),
                Table.Column.number("Packets", 80),
                Table.Column.number("Lost", 80),
                Table.Column.number("Min delta ms", 20),
                Table.Column.number("Mean delta", 30),
                Table.Column.number("Max delta", 56),
                Table.Column.number("Min jitter ms", 20),
                Table.Column.number("Mean jitter", 58),
                Table.Column.number("Max jitter", 58),
                Table.Column.text("Call-ID", 10, 12));
    }

    private void add(Table table, StreamsCommand.Line line, WiresharkStream figures) {
        identity(table, line)
                .cell(Decimals.grouped(figures.packets()))
                .cell(StreamLines.lost(figures.lost(), figures.lostPercent()))
                .cell(Decimals.text(figures.minDeltaMs(), 3))
                .cell(Decimals.text(figures.meanDeltaMs(), 3))
                .cell(Decimals.text(figures.maxDeltaMs(), 3))
                .cell(Decimals.text(figures.minJitterMs(), 3))
                .cell(Decimals.text(figures.meanJitterMs(), 3))
                .cell(Decimals.text(figures.maxJitterMs(), 3))
                .cell(line.callId());
    }
}
