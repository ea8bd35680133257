package io.offhook.cli.threads;

import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.terminal.Interruption;
import io.offhook.cli.terminal.RedrawnPage;
import io.offhook.cli.terminal.Terminal;
import io.offhook.monitor.Processes;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.recording.RecordedLook;
import io.offhook.monitor.recording.RecordedProcess;
import io.offhook.monitor.recording.RecordingEnd;
import io.offhook.monitor.recording.RecordingListener;
import io.offhook.monitor.recording.RecordingSummary;
import io.offhook.report.text.Decimals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One run of {@code offhook threads play}. */
final class PlayRun implements RecordingListener, AutoCloseable {
    private final PlayCommand.Options options;
    private final OutputOptions output;
    private final Terminal terminal;
    private final JavaHistory inJava = new JavaHistory();
    private final ThreadHistory history = new ThreadHistory(inJava);
    private final ThreadTotals totals = new ThreadTotals();
    private final LaneTotals lanes = new LaneTotals();
    private final LockTotals locks = new LockTotals();
    private final CountDownLatch end = new CountDownLatch(1);
    private final @Nullable ThreadsCsv csv;
    private final @Nullable ThreadExport export;
    private final RedrawnPage page;
    private RecordedProcess process = new RecordedProcess(0, "", 0, 1);
    private long sinceNs = Long.MIN_VALUE;
    private long untilNs = Long.MAX_VALUE;
    private long firstNs;
    private long lastNs;
    private boolean isJvm;

    PlayRun(PlayCommand.Options options, OutputOptions output, Terminal terminal) throws IOException {
        this.options = options;
        this.output = output;
        this.terminal = terminal;
        csv = output.format() == Format.CSV ? new ThreadsCsv(terminal) : null;
        export = options.export() == null ? null : ThreadExport.to(options.export(), terminal.timeForm());
        page = new RedrawnPage(terminal);
    }

    /** @return whether it could be read to its end */
    boolean run(String file) throws IOException {
        RecordingSummary summary;
        try (page;
                Interruption _ = Interruption.of(end::countDown)) {
            summary = RecordingFile.read(file, this, terminal);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        if (summary == null) {
            return false;
        }
        if (export != null) {
            export.finish();
        }
        if (options.plot() != null) {
            String title = ThreadsPlot.title(process.pid(), process.commandLine());
            ThreadsPlot.write(options.plot(), title, history, output.times());
        }
        print(summary);
        terminal.flush();
        if (!summary.extent().isWhole()) {
            terminal.error(file + " is cut off or damaged behind byte "
                    + Decimals.grouped(summary.extent().wholeBytes()) + "; it was read up to there");
        }
        return summary.extent().isWhole();
    }

    private void print(RecordingSummary summary) throws IOException {
        Processes.Named named = new Processes.Named(process.pid(), process.commandLine());
        if (output.format() == Format.JSON) {
            boolean isEnded = summary.extent().end() == RecordingEnd.PROCESS_ENDED;
            ThreadFields.json(
                    named,
                    history,
                    lanes.rows(),
                    new ThreadFields.Watched(firstNs, lastNs - firstNs, process.everyNs(), Double.NaN, isEnded, 0),
                    new ThreadFields.InJava(
                            isJvm, List.of(), totals.profiles().isEmpty() ? null : totals.profiles(), locks),
                    summary,
                    terminal);
        } else if (output.format() == Format.TABLE) {
            RecordingTable.print(
                    process,
                    summary,
                    new RecordingTable.Part(firstNs, lastNs),
                    totals,
                    output.times(),
                    terminal,
                    terminal.isColored(output.color()));
            printDetails();
        }
    }

    /** What is known beside what threads did, in the whole. */
    private void printDetails() throws IOException {
        boolean isColored = terminal.isColored(output.color());
        StringBuilder text = new StringBuilder();
        LanesTable.ofRecording(terminal, isColored).print(lanes.busiest(), lanes.unpublished(), text);
        new MethodsTable(terminal, isColored, totals.profiles()).print(history, text);
        terminal.out().append(text);
        LockTable.print(inJava.last().deadlocks(), locks, output.times(), terminal, isColored);
    }

    @Override
    public void process(RecordedProcess recorded) {
        process = recorded;
        sinceNs = options.since() == null ? Long.MIN_VALUE : options.since().ns(recorded.beganNs());
        untilNs = options.until() == null ? Long.MAX_VALUE : options.until().ns(recorded.beganNs());
    }

    @Override
    public void look(RecordedLook look) {
        long atNs = look.atNs();
        if (atNs < sinceNs || atNs > untilNs) {
            return;
        }
        long spanNs = look.rows().stream()
                .mapToLong(row -> row.last().elapsedNs())
                .max()
                .orElse(0);
        firstNs = firstNs == 0 ? atNs - spanNs : firstNs;
        lastNs = atNs;
        List<ThreadRow> rows = totals.add(look);
        isJvm |= !look.java().threads().isEmpty();
        inJava.add(rows, look.java());
        lanes.add(look.lanes(), look.unpublishedLanes());
        locks.add(atNs, spanNs, look.java().locks());
        history.add(atNs, rows, output.format() == Format.JSON || options.plot() != null);
        try {
            if (csv != null) {
                csv.write(look, inJava);
            }
            if (export != null) {
                export.write(look, inJava);
            }
            if (options.speed() > 0 && output.format() == Format.TABLE && terminal.isTerminal()) {
                draw(atNs, spanNs, rows);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void draw(long atNs, long spanNs, List<ThreadRow> rows) throws IOException {
        try {
            if (end.await((long) (spanNs / options.speed()), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        page.measure();
        StringBuilder text = new StringBuilder();
        Processes.Named named = new Processes.Named(process.pid(), process.commandLine());
        ThreadsTable.Watched played = new ThreadsTable.Watched(RecordingFile.dayAndTime(atNs, output.times())
                + ", played " + Decimals.shortest(options.speed(), 3) + " times as fast; Ctrl-C: to the end");
        boolean isColored = terminal.isColored(output.color());
        MethodsTable methods = new MethodsTable(terminal, isColored, totals.profiles());
        int left = Math.max(1, terminal.height() - LanesTable.lines(lanes.rows()) - methods.lines());
        if (isJvm) {
            new JavaTable(terminal, isColored, List.of()).print(named, rows, history, played, text, left);
        } else {
            new ThreadsTable(terminal, isColored).print(named, rows, history, played, text, left);
        }
        new LanesTable(terminal, isColored).print(lanes.rows(), lanes.unpublished(), text);
        methods.print(history, text);
        page.draw(text);
    }

    @Override
    public void close() throws IOException {
        if (export != null) {
            export.close();
        }
    }
}
