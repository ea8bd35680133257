package io.offhook.cli.threads;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.monitor.Processes;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The threads of a process as a table, the busiest of the last 15 seconds first. */
final class ThreadsTable {
    /** From here on a share of a processor stands out. */
    static final double MUCH = 0.8;

    /** From here on the time in a run queue is a problem for whoever should keep up with packets. */
    static final double WAITED = 0.05;

    private static final double NS_A_SECOND = 1e9;
    private static final int OTHER_LINES = 6;

    private final Terminal terminal;
    private final boolean colored;

    ThreadsTable(Terminal terminal, boolean colored) {
        this.terminal = terminal;
        this.colored = colored;
    }

    /** How it was watched, in words. */
    record Watched(String text) {
        static Watched of(long elapsedNs, long everyNs, double ownShare) {
            return new Watched("watched for " + Decimals.text(elapsedNs / NS_A_SECOND, 0) + " s, every "
                    + Decimals.text(everyNs / NS_A_SECOND, 1) + " s, which takes " + percent(ownShare) + " %");
        }
    }

    /** Appends the table, of at most so many lines. */
    void print(
            Processes.Named process,
            List<ThreadRow> rows,
            ThreadHistory history,
            Watched watched,
            StringBuilder text,
            int lines)
            throws IOException {
        heading(process, rows, history, watched, text);
        text.append('\n');
        List<Table.Column> columns = new ArrayList<>(List.of(
                Table.Column.key("Thread", 15),
                Table.Column.number("Id", 60),
                Table.Column.number("CPU %", 80),
                Table.Column.number("15 s", 90),
                Table.Column.number("User", 50),
                Table.Column.number("System", 50),
                Table.Column.number("Run queue", 85),
                Table.Column.number("Gave up/s", 40),
                Table.Column.number("Taken/s", 45),
                Table.Column.number("Moved", 42),
                Table.Column.number("Core", 55),
                Table.Column.text("State", 30, 6)));
        gigahertz(columns, history);
        Table table = new Table(columns);
        rows.stream()
                .sorted(Comparator.comparingDouble(
                                (ThreadRow row) -> -row.mean().cpu())
                        .thenComparingInt(ThreadRow::id))
                .limit(Math.max(1, (long) lines - OTHER_LINES))
                .forEach(row -> add(table, row, history));
        table.print(text, terminal, colored);
        int left = rows.size() - Math.max(1, lines - OTHER_LINES);
        text.append(left > 0 ? "and " + Words.count(left, "thread") + " more.\n" : "");
    }

    /** Appends what stands above the table, of two lines. */
    static void heading(
            Processes.Named process, List<ThreadRow> rows, ThreadHistory history, Watched watched, StringBuilder text) {
        double all = rows.stream().mapToDouble(row -> row.mean().cpu()).sum();
        text.append(process.pid()).append("  ").append(Text.printable(process.commandLine()));
        text.append('\n')
                .append(Words.count(rows.stream().filter(row -> !row.isEnded()).count(), "thread"))
                .append(history.ended() == 0 ? "" : ", " + history.ended() + " ended")
                .append("; ")
                .append(percent(all))
                .append(" % of a processor; ")
                .append(watched.text())
                .append("\n");
    }

    private static void add(Table table, ThreadRow row, ThreadHistory history) {
        ThreadUse mean = row.mean();
        double seconds = mean.elapsedNs() / NS_A_SECOND;
        Table.Row cells = table.row()
                .cell(row.name(), row.isEnded() ? Style.FAINT : Style.PLAIN)
                .cell(Integer.toString(row.id()))
                .cell(percent(row.last().cpu()))
                .cell(percent(mean.cpu()), mean.cpu() >= MUCH ? Style.WARNING : Style.PLAIN)
                .cell(percent(mean.user()))
                .cell(percent(mean.system()))
                .cell(
                        mean.waitedNs() < 0 ? null : percent(mean.waited()),
                        mean.waited() >= WAITED ? Style.BAD : Style.PLAIN)
                .cell(rate(mean.voluntarySwitches(), seconds))
                .cell(rate(mean.involuntarySwitches(), seconds))
                .cell(
                        row.total().migrations() < 0
                                ? null
                                : Decimals.grouped(row.total().migrations()))
                .cell(Integer.toString(row.processor()))
                .cell(state(row.state()));
        gigahertz(cells, row, history);
    }

    /** Adds a column for the clock at which a thread ran, where cycles are counted. */
    static void gigahertz(List<Table.Column> columns, ThreadHistory history) {
        if (history.hasCycles()) {
            columns.add(Table.Column.number("GHz", 48));
        }
    }

    /** The cell of that column. */
    static void gigahertz(Table.Row cells, ThreadRow row, ThreadHistory history) {
        if (history.hasCycles()) {
            ThreadHistory.Entry entry = history.of(row.id());
            double gigahertz = entry == null || entry.cycles == null ? Double.NaN : entry.cycles.gigahertz();
            cells.cell(Double.isNaN(gigahertz) ? null : Decimals.text(gigahertz, 2));
        }
    }

    static String percent(double share) {
        return Decimals.text(share * 100, 1);
    }

    private static @Nullable String rate(long count, double seconds) {
        return seconds <= 0 ? null : Decimals.grouped(Math.round(count / seconds));
    }

    /** The kernel's letter in words (proc(5)). */
    static String state(char letter) {
        return switch (letter) {
            case 'R' -> "running";
            case 'S' -> "asleep";
            case 'D' -> "in the kernel";
            case 'T', 't' -> "stopped";
            case 'Z', 'X' -> "ended";
            case 'I' -> "idle";
            default -> String.valueOf(letter);
        };
    }
}
