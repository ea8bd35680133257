package io.offhook.cli.threads;

import io.offhook.cli.terminal.Terminal;
import io.offhook.monitor.JavaState;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import java.io.IOException;
import java.util.List;

/** The threads of a process as CSV: a line a thread and look, as they come. */
public final class ThreadsCsv {
    /** The columns. */
    public static final List<String> COLUMNS = List.of(
            ("at nativeId name ended cpu user system runQueue mean processor voluntarySwitches involuntarySwitches migrations"
                            + " state running sleeping wait park monitor seconds")
                    .split(" ", -1));

    private static final int DECIMALS = 4;
    private static final double NS_A_SECOND = 1e9;

    private final CsvFields csv;

    ThreadsCsv(Terminal terminal) throws IOException {
        csv = terminal.csv(COLUMNS);
    }

    void write(long atNs, List<ThreadRow> rows, JavaHistory java) throws IOException {
        for (ThreadRow row : rows) {
            fields(csv, atNs, row, java);
            csv.endRecord();
        }
    }

    /** The fields of a thread at a look. */
    static void fields(FieldWriter to, long atNs, ThreadRow row, JavaHistory java) {
        ThreadUse last = row.last();
        JavaHistory.Entry entry = java.of(row.id());
        String name = entry == null ? null : entry.name();
        to.time("at", atNs);
        to.field("nativeId", row.id())
                .field("name", name == null ? row.name() : name)
                .field("ended", row.isEnded())
                .field("cpu", last.cpu(), DECIMALS)
                .field("user", last.user(), DECIMALS)
                .field("system", last.system(), DECIMALS)
                .field("runQueue", last.waited(), DECIMALS)
                .field("mean", row.mean().cpu(), DECIMALS)
                .field("processor", row.processor())
                .field("voluntarySwitches", last.voluntarySwitches())
                .field("involuntarySwitches", last.involuntarySwitches());
        if (last.migrations() < 0) {
            to.nullField("migrations");
        } else {
            to.field("migrations", last.migrations());
        }
        to.field("state", ThreadsTable.state(row.state()));
        StateTimes states = entry == null ? StateTimes.NONE : entry.last();
        for (JavaState state : JavaState.values()) {
            to.field(JavaFields.name(state), states.share(state), DECIMALS);
        }
        to.field("seconds", last.elapsedNs() / NS_A_SECOND, 3);
    }
}
