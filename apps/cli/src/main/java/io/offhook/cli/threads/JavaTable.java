package io.offhook.cli.threads;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.monitor.Deadlock;
import io.offhook.monitor.JavaLock;
import io.offhook.monitor.JavaState;
import io.offhook.monitor.Pause;
import io.offhook.monitor.Processes;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.VirtualThreads;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The threads of a JVM as a table with a lane of states over time for each, the busiest of the last 15 seconds first. */
final class JavaTable {
    /** What each letter and colour means. */
    static final String LEGEND =
            "R running, or in a call to the system   S sleep   W Object.wait   P park: locks, queues, pools"
                    + "   M waits for a monitor   G stopped by the garbage collector";

    private static final double NS_A_MS = 1e6;
    private static final double WAITED = 0.05;
    private static final double BLOCKED = 0.05;
    private static final int MOST_LOCKS = 3;
    private static final int FIXED_WIDTH = 92;
    private static final int SHORTEST = 10;
    private static final int LONGEST = 120;

    private final Terminal terminal;
    private final boolean colored;
    private final List<String> notes;

    JavaTable(Terminal terminal, boolean colored, List<String> notes) {
        this.terminal = terminal;
        this.colored = colored;
        this.notes = notes;
    }

    /** Appends the table, of at most so many lines. */
    void print(
            Processes.Named process,
            List<ThreadRow> rows,
            ThreadHistory history,
            ThreadsTable.Watched watched,
            StringBuilder text,
            int lines)
            throws IOException {
        JavaHistory java = history.inJava();
        ThreadsTable.heading(process, rows, history, watched, text);
        StringBuilder below = new StringBuilder();
        line(below, pauses(java), Style.PLAIN);
        notes.forEach(note -> line(below, note + ".", Style.WARNING));
        waits(below, java);
        line(below, LEGEND, Style.FAINT);
        text.append(below).append('\n');
        int room =
                Math.max(1, lines - (int) below.chars().filter(c -> c == '\n').count() - 6);
        List<Table.Column> columns = new ArrayList<>(List.of(
                Table.Column.key("Thread", 18),
                Table.Column.number("Id", 50),
                Table.Column.number("States", 88),
                Table.Column.number("Running", 82),
                Table.Column.number("Sleep", 66),
                Table.Column.number("Wait", 64),
                Table.Column.number("Park", 65),
                Table.Column.number("Monitor", 86),
                Table.Column.number("CPU %", 80),
                Table.Column.number("15 s", 84),
                Table.Column.number("Run queue", 62),
                Table.Column.number("Core", 45)));
        ThreadsTable.gigahertz(columns, history);
        Table table = new Table(columns);
        int lane = Math.clamp(terminal.width() - FIXED_WIDTH, SHORTEST, LONGEST);
        String stops = java.stops(lane);
        if (stops.indexOf('G') >= 0) {
            table.row().cell("(all threads)", Style.FAINT).cell(null).lane(stops, JavaTable::style);
        }
        rows.stream()
                .sorted(Comparator.comparingDouble(
                                (ThreadRow row) -> -row.mean().cpu())
                        .thenComparingInt(ThreadRow::id))
                .limit(room)
                .forEach(row -> ThreadsTable.gigahertz(add(table, row, java.of(row.id()), lane), row, history));
        table.print(text, terminal, colored);
        int left = rows.size() - room;
        text.append(left > 0 ? "and " + Words.count(left, "thread") + " more.\n" : "");
    }

    private void line(StringBuilder text, String line, Style style) {
        for (String part : line.isEmpty() ? List.<String>of() : Text.wrap(Text.printable(line), terminal.width())) {
            style.append(text, part, colored);
            text.append('\n');
        }
    }

    private static String pauses(JavaHistory history) {
        List<String> parts = new ArrayList<>();
        for (Pause.Kind kind : Pause.Kind.values()) {
            JavaHistory.Sum sum = history.sum(kind);
            if (sum != null) {
                parts.add((kind == Pause.Kind.GC ? "Garbage collector: " : "Other safepoints: ")
                        + Words.count(sum.count(), "pause") + " of " + ms(sum.ns()) + " ms together, longest "
                        + ms(sum.longest().durationNs()) + " ms ("
                        + sum.longest().cause() + ")");
            }
        }
        VirtualThreads virtual = history.last().virtualThreads();
        if (virtual != null) {
            parts.add(Words.count(virtual.mounted(), "virtual thread") + " mounted"
                    + (virtual.queued() < 0
                            ? ""
                            : ", " + virtual.queued() + " in the queue of " + virtual.parallelism() + " carriers"));
        }
        return String.join("; ", parts);
    }

    private static String ms(long ns) {
        return Decimals.text(ns / NS_A_MS, 1);
    }

    private void waits(StringBuilder text, JavaHistory history) {
        for (Deadlock deadlock : history.last().deadlocks()) {
            line(text, deadlock(deadlock), Style.BAD);
        }
        List<JavaLock> locks = history.last().locks();
        for (JavaLock lock : locks.subList(0, Math.min(MOST_LOCKS, locks.size()))) {
            String owner = lock.owner();
            line(
                    text,
                    lock.name() + (owner == null ? "" : ", which " + owner + " has") + ": "
                            + Words.count(lock.waiters().size(), "thread") + " waiting, first "
                            + lock.waiters().getFirst(),
                    Style.PLAIN);
        }
        if (locks.size() > MOST_LOCKS) {
            line(text, "and " + Words.count(locks.size() - MOST_LOCKS, "lock") + " more.", Style.PLAIN);
        }
    }

    /** A deadlock as a sentence. */
    static String deadlock(Deadlock deadlock) {
        List<String> parts = new ArrayList<>();
        deadlock.waits()
                .forEach(wait ->
                        parts.add(wait.thread() + " waits for " + wait.lock() + ", which " + wait.owner() + " has"));
        return "Deadlock: " + String.join("; ", parts) + ".";
    }

    private static Table.Row add(Table table, ThreadRow row, JavaHistory.@Nullable Entry entry, int lane) {
        String name = entry == null ? null : entry.name();
        StateTimes times = entry == null ? StateTimes.NONE : entry.total();
        double waited = row.mean().waited();
        return table.row()
                .cell(name == null ? row.name() : name, row.isEnded() ? Style.FAINT : Style.PLAIN)
                .cell(Integer.toString(row.id()))
                .lane(entry == null ? "" : JavaHistory.lane(entry, lane), JavaTable::style)
                .cell(share(times, JavaState.RUNNING))
                .cell(share(times, JavaState.SLEEPING))
                .cell(share(times, JavaState.WAIT))
                .cell(share(times, JavaState.PARK))
                .cell(
                        share(times, JavaState.MONITOR),
                        times.share(JavaState.MONITOR) >= BLOCKED ? Style.BAD : Style.PLAIN)
                .cell(ThreadsTable.percent(row.last().cpu()))
                .cell(ThreadsTable.percent(row.mean().cpu()))
                .cell(
                        row.mean().waitedNs() < 0 ? null : ThreadsTable.percent(waited),
                        waited >= WAITED ? Style.BAD : Style.PLAIN)
                .cell(Integer.toString(row.processor()));
    }

    private static @Nullable String share(StateTimes times, JavaState state) {
        return times.elapsedNs() == 0 ? null : ThreadsTable.percent(times.share(state));
    }

    private static Style style(char letter) {
        return switch (letter) {
            case 'R' -> Style.GOOD;
            case 'W' -> Style.NOTE;
            case 'P' -> Style.WARNING;
            case 'M', 'G' -> Style.BAD;
            default -> Style.FAINT;
        };
    }
}
