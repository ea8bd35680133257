package io.offhook.cli.calls;

import io.offhook.calls.RatedInterval;
import io.offhook.calls.StreamReport;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.StreamFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.rtp.ReceptionInterval;
import io.offhook.rtp.StreamInterval;
import io.offhook.rtp.quality.Quality;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tables of a call's streams, five seconds a row. */
public final class IntervalLines {
    private IntervalLines() {}

    /**
     * Prints a table for each stream with intervals.
     *
     * @param startedNs of the call; times are relative to it
     */
    public static void print(List<StreamReport> streams, long startedNs, Terminal terminal, boolean colored)
            throws IOException {
        for (StreamReport stream : streams) {
            if (!stream.intervals().isEmpty()) {
                String direction = StreamFields.direction(stream);
                terminal.out()
                        .append('\n')
                        .append(direction == null ? "" : direction + " ")
                        .append(StreamFields.ssrc(stream))
                        .append('\n');
                table(stream, startedNs).print(terminal, colored);
            }
        }
    }

    private static Table table(StreamReport stream, long startedNs) {
        Table table = new Table(List.of(
                Table.Column.number("At", 90),
                Table.Column.number("Expected", 80),
                Table.Column.number("Lost", 85),
                Table.Column.number("Too late", 84),
                Table.Column.number("Loss %", 70),
                Table.Column.number("BurstR", 40),
                Table.Column.number("Jitter ms", 75),
                Table.Column.number("Max", 50),
                Table.Column.number("Gap ms", 60),
                Table.Column.number("MOS", 88),
                Table.Column.number("RTCP loss %", 45)));
        for (RatedInterval rated : stream.intervals()) {
            StreamInterval interval = rated.interval();
            Table.Row row = table.row()
                    .cell(Times.duration(interval.startNs() - startedNs))
                    .cell(Decimals.grouped(interval.expected()))
                    .cell(Decimals.grouped(interval.lost()), interval.lost() > 0 ? Style.BAD : Style.PLAIN)
                    .cell(Decimals.grouped(interval.discarded()), interval.discarded() > 0 ? Style.BAD : Style.PLAIN)
                    .cell(Decimals.text(interval.impairedPercent(), 1))
                    .cell(Decimals.text(interval.burstRatio(), 2));
            figures(row, interval.figures());
            if (rated.rating() instanceof Quality quality) {
                row.cell(CallsTable.mos(quality), CallsTable.style(quality.mos()));
            } else {
                row.cell("");
            }
            ReceptionInterval farEnd = rated.farEnd();
            row.cell(
                    farEnd == null || Double.isNaN(farEnd.lostPercent()) ? "" : Decimals.text(farEnd.lostPercent(), 1));
        }
        return table;
    }

    private static void figures(Table.Row row, StreamInterval.@Nullable Figures figures) {
        if (figures == null) {
            row.cell("").cell("").cell("");
            return;
        }
        boolean isTimed = !Double.isNaN(figures.meanJitterMs());
        row.cell(isTimed ? Decimals.text(figures.meanJitterMs(), 2) : "")
                .cell(isTimed ? Decimals.text(figures.maxJitterMs(), 2) : "")
                .cell(Decimals.text(figures.maxDeltaMs(), 1));
    }
}
