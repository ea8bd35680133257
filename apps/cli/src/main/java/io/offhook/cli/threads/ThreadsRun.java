package io.offhook.cli.threads;

import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.terminal.Interruption;
import io.offhook.cli.terminal.RedrawnPage;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.monitor.CycleWatch;
import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaWatch;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.LaneWatch;
import io.offhook.monitor.Processes;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadWatch;
import io.offhook.monitor.recording.RecordedLook;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of {@code offhook threads}: looks at intervals until the time is over, the process ends, or Ctrl-C. */
final class ThreadsRun {
    private final Processes.Named process;
    private final ThreadWatch watch;
    private final JavaWatch java;
    private final LaneWatch lanes;
    private final @Nullable CycleWatch cycles;
    private final long everyNs;
    private final OutputOptions output;
    private final Kept kept;
    private final Terminal terminal;
    private final JavaHistory inJava = new JavaHistory();
    private final ThreadHistory history = new ThreadHistory(inJava);
    private final LockTotals locks = new LockTotals();
    private final CountDownLatch end = new CountDownLatch(1);
    private final long beganNs = System.nanoTime();
    private final long beganAtNs = Times.epochNs();
    private final Duration ownBegan = ownTime();

    ThreadsRun(
            Processes.Named process,
            Watches watches,
            long everyNs,
            OutputOptions output,
            Kept kept,
            Terminal terminal) {
        this.process = process;
        watch = watches.threads();
        java = watches.java();
        lanes = watches.lanes();
        cycles = watches.cycles();
        this.everyNs = everyNs;
        this.output = output;
        this.kept = kept;
        this.terminal = terminal;
    }

    /**
     * What is watched.
     *
     * @param cycles null if they are not asked for
     */
    record Watches(
            ThreadWatch threads,
            JavaWatch java,
            LaneWatch lanes,
            @Nullable CycleWatch cycles) {}

    /** What is kept of it. */
    record Kept(@Nullable ThreadRecorder recorder, @Nullable Path plot) {}

    /** The processor time of this process, in steps of 10 ms. */
    private static Duration ownTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    int run(long durationNs) throws IOException {
        boolean isShown = output.format() == Format.TABLE && terminal.isTerminal();
        ThreadsCsv csv = output.format() == Format.CSV ? new ThreadsCsv(terminal) : null;
        List<ThreadRow> rows = List.of();
        try (RedrawnPage page = new RedrawnPage(terminal);
                Interruption _ = Interruption.of(end::countDown)) {
            for (long i = 1; pause(i, durationNs); i++) {
                rows = watch.look();
                long atNs = Times.epochNs();
                RecordedLook look = look(atNs, rows);
                inJava.add(rows, look.java());
                locks.add(atNs, spanNs(rows), look.java().locks());
                history.add(atNs, rows, output.format() == Format.JSON || kept.plot() != null);
                if (cycles != null) {
                    cycles.look(rows);
                    history.add(cycles);
                }
                record(look, isShown);
                if (csv != null) {
                    csv.write(look, inJava);
                    terminal.flush();
                } else if (isShown) {
                    page.measure();
                    StringBuilder text = new StringBuilder();
                    table(rows, text, terminal.height());
                    page.draw(text);
                }
                if (watch.isOver()) {
                    break;
                }
            }
        }
        finish(rows);
        return ExitCode.DONE;
    }

    private RecordedLook look(long atNs, List<ThreadRow> rows) {
        List<LaneRow> published = lanes.look(rows);
        JavaLook look = java.look(rows);
        return new RecordedLook(
                atNs,
                0,
                rows,
                look,
                lanes.isPublished() ? published : List.of(),
                lanes.isPublished() ? lanes.unpublished() : 0,
                java.takeProfiles());
    }

    private static long spanNs(List<ThreadRow> rows) {
        return rows.stream().mapToLong(row -> row.last().elapsedNs()).max().orElse(0);
    }

    private void record(RecordedLook look, boolean isShown) {
        if (kept.recorder() != null) {
            // a page that is redrawn would be disturbed: what is still true is said at the end
            kept.recorder().add(look, isShown ? _ -> {} : terminal::error);
        }
    }

    /** Waits for the next look. @return false when there is none: the time is over, or Ctrl-C */
    private boolean pause(long look, long durationNs) {
        long dueNs = look * everyNs;
        if (dueNs > durationNs && dueNs - durationNs >= everyNs) {
            return false;
        }
        long leftNs = Math.min(dueNs, durationNs) - (System.nanoTime() - beganNs);
        try {
            return !end.await(leftNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void table(List<ThreadRow> rows, StringBuilder text, int lines) throws IOException {
        ThreadsTable.Watched watched = ThreadsTable.Watched.of(elapsedNs(), everyNs, ownShare());
        boolean isColored = terminal.isColored(output.color());
        MethodsTable methods = new MethodsTable(terminal, isColored, java.profiles());
        int left = Math.max(1, lines - LanesTable.lines(lanes.rows()) - methods.lines());
        if (java.isJvm()) {
            new JavaTable(terminal, isColored, notes()).print(process, rows, history, watched, text, left);
        } else {
            List<String> notes = notes();
            new ThreadsTable(terminal, isColored)
                    .print(process, rows, history, watched, text, Math.max(1, left - notes.size()));
            notes.forEach(note -> text.append(Text.printable(note)).append(".\n"));
        }
        new LanesTable(terminal, isColored).print(lanes.rows(), lanes.unpublished(), text);
        methods.print(history, text);
    }

    /** What could not be watched. */
    private List<String> notes() {
        String missing = cycles == null ? null : cycles.missing();
        return missing == null
                ? java.notes()
                : Stream.concat(java.notes().stream(), Stream.of(missing)).toList();
    }

    private long elapsedNs() {
        return System.nanoTime() - beganNs;
    }

    /** What watching takes of a processor, 0 to 1. */
    private double ownShare() {
        return (double) ownTime().minus(ownBegan).toNanos() / Math.max(1, elapsedNs());
    }

    private void finish(List<ThreadRow> rows) throws IOException {
        String recorded = kept.recorder() == null ? "" : kept.recorder().end(watch.isOver()) + "\n";
        if (kept.plot() != null) {
            ThreadsPlot.write(
                    kept.plot(), ThreadsPlot.title(process.pid(), process.commandLine()), history, output.times());
        }
        if (output.format() == Format.JSON) {
            ThreadFields.json(
                    process,
                    history,
                    lanes.rows(),
                    new ThreadFields.Watched(
                            beganAtNs, elapsedNs(), everyNs, ownShare(), watch.isOver(), watch.unwatched()),
                    new ThreadFields.InJava(java.isJvm(), notes(), java.isProfiling() ? java.profiles() : null, locks),
                    null,
                    terminal);
        } else if (output.format() == Format.TABLE) {
            StringBuilder text = new StringBuilder();
            table(rows, text, Integer.MAX_VALUE);
            terminal.out().append(text);
            if (watch.isOver()) {
                terminal.out().append("The process has ended.\n");
            }
            terminal.out().append(recorded);
        }
        terminal.flush();
    }
}
