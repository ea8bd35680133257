package io.offhook.cli.threads;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.monitor.Deadlock;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.util.List;

/** The locks that threads waited for in a recording, as a table below its threads: the 20 that were waited for longest. */
final class LockTable {
    private static final int MOST = 20;
    private static final double NS_A_SECOND = 1e9;

    private LockTable() {}

    /** Prints deadlocks at the end of the recording, and the table; nothing if there are none. */
    static void print(List<Deadlock> deadlocks, LockTotals locks, Times times, Terminal terminal, boolean colored)
            throws IOException {
        for (Deadlock deadlock : deadlocks) {
            StringBuilder line = new StringBuilder("\n");
            Style.BAD.append(line, Text.printable(JavaTable.deadlock(deadlock)), colored);
            terminal.out().append(line).append('\n');
        }
        List<LockTotals.Contention> longest = locks.longest();
        if (longest.isEmpty()) {
            return;
        }
        terminal.out().append("\nLocks that threads waited for, by the time of the readings that found them waiting\n");
        Table table = new Table(List.of(
                Table.Column.key("Lock", 30),
                Table.Column.text("Owner", 80, 15),
                Table.Column.number("Seconds", 90),
                Table.Column.number("Most", 85),
                Table.Column.text("Waiting then", 70, 20),
                Table.Column.text("First", 50, 19),
                Table.Column.text("Last", 51, 19)));
        for (LockTotals.Contention one : longest.subList(0, Math.min(MOST, longest.size()))) {
            String owner = one.owner();
            table.row()
                    .cell(Text.printable(one.type()), Style.PLAIN)
                    .cell(owner == null ? null : Text.printable(owner))
                    .cell(Decimals.text(one.ns() / NS_A_SECOND, 1))
                    .cell(Decimals.grouped(one.waiters().size()))
                    .cell(Text.printable(String.join(", ", one.waiters())))
                    .cell(RecordingFile.dayAndTime(one.firstNs(), times))
                    .cell(RecordingFile.dayAndTime(one.lastNs(), times));
        }
        table.print(terminal, colored);
        if (longest.size() > MOST) {
            terminal.out().append("and " + (longest.size() - MOST) + " more; --format json has them.\n");
        }
    }
}
