package io.offhook.cli.threads;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.monitor.JavaState;
import io.offhook.monitor.recording.RecordingSummary;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Two recordings side by side, as a table and as fields. */
public final class ComparisonOutput {
    /** The columns of CSV. */
    public static final List<String> COLUMNS = List.of(
            ("name threads.a threads.b cpu.a cpu.b user.a user.b system.a system.b peak.a peak.b runQueue.a runQueue.b"
                            + " voluntary.a voluntary.b involuntary.a involuntary.b migrations.a migrations.b running.a running.b sleeping.a sleeping.b wait.a wait.b park.a park.b monitor.a monitor.b duty.a duty.b difference")
                    .split(" ", -1));

    private static final int DECIMALS = 4;
    private static final double NS_A_SECOND = 1e9;

    private ComparisonOutput() {}

    static void json(JsonFields json, List<ComparedRecording> recordings, List<ThreadComparison.Pair> pairs) {
        json.object().array("recordings");
        for (ComparedRecording recording : recordings) {
            json.object()
                    .field("file", recording.file())
                    .field("pid", recording.process().pid())
                    .field("command", recording.process().commandLine())
                    .time("at", recording.firstNs());
            json.field("seconds", recording.lengthNs() / NS_A_SECOND, 3).end();
        }
        json.end().array("threads");
        for (ThreadComparison.Pair pair : pairs) {
            json.line().object();
            fields(json, pair);
            json.end();
        }
        json.line().end();
        LaneComparison.json(json, lanes(recordings));
        json.end();
    }

    private static List<LaneComparison.Pair> lanes(List<ComparedRecording> recordings) {
        return LaneComparison.of(
                recordings.getFirst().lanes(), recordings.getLast().lanes());
    }

    static void fields(FieldWriter to, ThreadComparison.Pair pair) {
        to.field("name", pair.name());
        to.object("threads")
                .field("a", pair.a().threads())
                .field("b", pair.b().threads())
                .end();
        field(to, pair, "cpu", ThreadComparison.Side::cpu);
        field(to, pair, "user", ThreadComparison.Side::user);
        field(to, pair, "system", ThreadComparison.Side::system);
        field(to, pair, "peak", ThreadComparison.Side::peak);
        field(to, pair, "runQueue", ThreadComparison.Side::runQueue);
        field(to, pair, "voluntary", ThreadComparison.Side::voluntary);
        field(to, pair, "involuntary", ThreadComparison.Side::involuntary);
        field(to, pair, "migrations", ThreadComparison.Side::migrations);
        for (JavaState state : JavaState.values()) {
            field(to, pair, JavaFields.name(state), side -> side.states().share(state));
        }
        field(to, pair, "duty", ThreadComparison.Side::duty);
        to.field("difference", pair.difference(), DECIMALS);
    }

    private static void field(
            FieldWriter to, ThreadComparison.Pair pair, String name, ToDoubleFunction<ThreadComparison.Side> figure) {
        to.object(name)
                .field("a", figure.applyAsDouble(pair.a()), DECIMALS)
                .field("b", figure.applyAsDouble(pair.b()), DECIMALS)
                .end();
    }

    static void table(
            List<ComparedRecording> recordings,
            List<RecordingSummary> summaries,
            List<ThreadComparison.Pair> pairs,
            Times times,
            Terminal terminal,
            boolean colored)
            throws IOException {
        for (int i = 0; i < recordings.size(); i++) {
            heading(i == 0 ? "A" : "B", recordings.get(i), summaries.get(i), times, terminal);
        }
        terminal.out().append("The largest differences in processor time and run queues first.\n\n");
        Table table = new Table(List.of(
                Table.Column.key("Thread", 15),
                Table.Column.number("Threads A, B", 40),
                Table.Column.number("CPU % A, B", 95),
                Table.Column.number("Change", 94),
                Table.Column.number("Peak 15 s A, B", 50),
                Table.Column.number("Run queue % A, B", 85),
                Table.Column.number("Monitor % A, B", 63),
                Table.Column.number("Gave up/s A, B", 62),
                Table.Column.number("Taken/s A, B", 61),
                Table.Column.number("Moved/s A, B", 30)));
        for (ThreadComparison.Pair pair : pairs) {
            add(table, pair);
        }
        table.print(terminal, colored);
        LaneComparison.table(lanes(recordings), terminal, colored);
    }

    private static void heading(
            String name, ComparedRecording recording, RecordingSummary summary, Times times, Terminal terminal)
            throws IOException {
        terminal.out()
                .append(name + "  " + recording.file() + "  " + RecordingFile.dayAndTime(recording.firstNs(), times)
                        + ", " + Times.duration(recording.lengthNs()) + "; "
                        + Words.count(recording.threads().size(), "thread") + "; "
                        + Text.printable(recording.process().commandLine()) + "\n");
        for (String remark : RecordingFile.remarks(summary, times)) {
            terminal.out().append("   ").append(remark).append('\n');
        }
    }

    private static void add(Table table, ThreadComparison.Pair pair) {
        ThreadComparison.Side a = pair.a();
        ThreadComparison.Side b = pair.b();
        double change = b.cpu() - a.cpu();
        boolean isMuch = Math.abs(change) >= ThreadComparison.MUCH;
        boolean isLate = b.runQueue() - a.runQueue() >= ThreadComparison.MUCH;
        table.row()
                .cell(pair.name(), pair.difference() < ThreadComparison.MUCH ? Style.FAINT : Style.PLAIN)
                .cell(both(pair, ThreadComparison.Side::threads, 0))
                .cell(both(pair, side -> side.cpu() * 100, 1))
                .cell(
                        (change < 0 ? "-" : "+") + Decimals.text(Math.abs(change) * 100, 1),
                        !isMuch ? Style.FAINT : change > 0 ? Style.WARNING : Style.GOOD)
                .cell(both(pair, side -> side.peak() * 100, 1))
                .cell(both(pair, side -> side.runQueue() * 100, 1), isLate ? Style.BAD : Style.PLAIN)
                .cell(both(pair, side -> side.states().share(JavaState.MONITOR) * 100, 1))
                .cell(both(pair, ThreadComparison.Side::voluntary, 0))
                .cell(both(pair, ThreadComparison.Side::involuntary, 0))
                .cell(both(pair, ThreadComparison.Side::migrations, 1));
    }

    /** "12.5  40.1"; a dash where there is no such thread, or no such figure. */
    private static @Nullable String both(
            ThreadComparison.Pair pair, ToDoubleFunction<ThreadComparison.Side> figure, int decimals) {
        return both(of(pair.a(), figure), of(pair.b(), figure), decimals);
    }

    /** "12.5  40.1"; a dash where it is NaN. */
    static @Nullable String both(double ofA, double ofB, int decimals) {
        String a = one(ofA, decimals);
        String b = one(ofB, decimals);
        return a.equals("-") && b.equals("-") ? null : a + " " + " ".repeat(Math.max(0, 6 - b.length())) + b;
    }

    private static double of(ThreadComparison.Side side, ToDoubleFunction<ThreadComparison.Side> figure) {
        return side.threads() == 0 ? Double.NaN : figure.applyAsDouble(side);
    }

    private static String one(double value, int decimals) {
        return Double.isNaN(value) ? "-" : Decimals.text(value, decimals);
    }
}
