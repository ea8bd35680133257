package io.offhook.cli.threads;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.monitor.ThreadUse;
import io.offhook.monitor.recording.RecordedProcess;
import io.offhook.monitor.recording.RecordingSummary;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;

/** A recording as a table: what each thread did in the whole of it, the busiest first. */
final class RecordingTable {
    private static final double NS_A_SECOND = 1e9;

    private RecordingTable() {}

    /** The part of a recording that is looked at. */
    record Part(long fromNs, long toNs) {}

    static void print(
            RecordedProcess process,
            RecordingSummary summary,
            Part part,
            ThreadTotals totals,
            Times times,
            Terminal terminal,
            boolean colored)
            throws IOException {
        terminal.out()
                .append(process.pid() + "  " + Text.printable(process.commandLine()) + "\n")
                .append(RecordingFile.dayAndTime(part.fromNs(), times) + " to "
                        + RecordingFile.dayAndTime(part.toNs(), times) + "; "
                        + Words.count(totals.all().size(), "thread") + "\n");
        for (String remark : RecordingFile.remarks(summary, times)) {
            terminal.out().append(remark).append('\n');
        }
        terminal.out().append('\n');
        Table table = new Table(List.of(
                Table.Column.key("Thread", 15),
                Table.Column.number("Id", 60),
                Table.Column.number("CPU %", 80),
                Table.Column.number("Peak 15 s", 90),
                Table.Column.number("User", 50),
                Table.Column.number("System", 50),
                Table.Column.number("Run queue", 85),
                Table.Column.number("Gave up/s", 40),
                Table.Column.number("Taken/s", 45),
                Table.Column.number("Moved", 42),
                Table.Column.number("Seconds", 70)));
        totals.all().stream()
                .sorted(Comparator.comparingLong((ThreadTotals.Total total) ->
                        -total.use().userNs() - total.use().systemNs()))
                .forEach(total -> add(table, total));
        table.print(terminal, colored);
    }

    private static void add(Table table, ThreadTotals.Total total) {
        ThreadUse use = total.use();
        double seconds = use.elapsedNs() / NS_A_SECOND;
        table.row()
                .cell(total.name(), total.row().isEnded() ? Style.FAINT : Style.PLAIN)
                .cell(Integer.toString(total.row().id()))
                .cell(percent(use.cpu()), use.cpu() >= ThreadsTable.MUCH ? Style.WARNING : Style.PLAIN)
                .cell(percent(total.peak()), total.peak() >= ThreadsTable.MUCH ? Style.WARNING : Style.PLAIN)
                .cell(percent(use.user()))
                .cell(percent(use.system()))
                .cell(
                        use.waitedNs() < 0 ? null : percent(use.waited()),
                        use.waited() >= ThreadsTable.WAITED ? Style.BAD : Style.PLAIN)
                .cell(seconds <= 0 ? null : Decimals.grouped(Math.round(use.voluntarySwitches() / seconds)))
                .cell(seconds <= 0 ? null : Decimals.grouped(Math.round(use.involuntarySwitches() / seconds)))
                .cell(use.migrations() < 0 ? null : Decimals.grouped(use.migrations()))
                .cell(Decimals.grouped(Math.round(seconds)));
    }

    private static String percent(double share) {
        return Decimals.text(share * 100, 1);
    }
}
