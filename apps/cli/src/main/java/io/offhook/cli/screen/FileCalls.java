package io.offhook.cli.screen;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.cli.input.CaptureSummary;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.OwnDrops;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.messages.CallMessages;
import io.offhook.pcap.CaptureFault;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The calls of capture files. They are read by one thread in the background, and shown while that goes on; the messages and packets
 * of single calls are read again when somebody asks for them, messages at once by another thread, packets after all was read.
 */
final class FileCalls implements CallSource {
    private final RereadableFiles files;
    private final AnalysisOptions options;
    private final SavedCalls saved;
    private final View view;
    private final String names;
    private final ExecutorService reading = thread("offhook-browse-reading");
    private final ExecutorService again = thread("offhook-browse-again");
    private final BetweenRounds rounds = new BetweenRounds();
    private volatile State state;
    private volatile @Nullable OpenCapture open;
    private volatile List<CaptureFault> faults = List.of();

    FileCalls(RereadableFiles files, AnalysisOptions options, View view) {
        this.files = files;
        this.options = options;
        saved = new SavedCalls(files, options);
        this.view = view;
        names = names(files.paths());
        state = new State(
                0,
                new AnalysisResult(CaptureReport.NOTHING, List.of(), List.of(), List.of(), null),
                0,
                "reading",
                "",
                false,
                "");
    }

    /** "calls.pcap", "a.pcap and 2 more". */
    private static String names(List<String> paths) {
        Path name = Path.of(paths.getFirst()).getFileName();
        String first = name == null ? paths.getFirst() : name.toString();
        return paths.size() == 1 ? first : first + " and " + (paths.size() - 1) + " more";
    }

    private static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Begins to read. */
    void start() {
        reading.execute(this::read);
    }

    private void read() {
        try (OpenCapture input = files.open(SavedCalls.quiet(OutputStream.nullOutputStream()))) {
            open = input;
            AnalysisResult result = input.follow(options, this::show);
            faults = List.copyOf(input.faults());
            List<String> said = new ArrayList<>();
            faults.forEach(fault -> said.add(fault.describe()));
            boolean hasDropped = result.capture().counters().stream().anyMatch(OwnDrops::isDrop);
            state = new State(
                    state.revision() + 1,
                    result,
                    0,
                    "",
                    counted(result.capture()),
                    hasDropped,
                    String.join("; ", said));
        } catch (RuntimeException e) {
            end(e);
            files.failed(e);
        } catch (OutOfMemoryError e) {
            end(e);
        } finally {
            open = null;
            rounds.end();
        }
    }

    /** Shows what was found so far. Called between rounds. */
    private void show(AnalysisResult standing) {
        state = new State(state.revision() + 1, standing, 0, "reading", "", false, "");
        rounds.grant();
    }

    private void end(Throwable why) {
        state = new State(state.revision() + 1, state.result(), 0, "", "", false, Failure.text(why));
    }

    /** What could not be used of the files: one line, empty if there is nothing. */
    private String counted(CaptureReport capture) {
        List<String> counts = new ArrayList<>();
        for (CaptureReport.Counter counter : capture.counters()) {
            counts.add(Words.ofCamelCase(counter.name()) + ' ' + CaptureSummary.count(counter, view.times()));
        }
        return counts.isEmpty() ? "" : "counted: " + String.join("; ", counts);
    }

    /** The faults of the files, to be reported at the end. */
    List<CaptureFault> faults() {
        return faults;
    }

    @Override
    public State state() {
        State now = state;
        OpenCapture input = open;
        return input == null || now.activity().isEmpty()
                ? now
                : new State(now.revision(), now.result(), 0, "reading, " + input.progressText(), "", false, "");
    }

    @Override
    public boolean isReading() {
        return !state.activity().isEmpty();
    }

    @Override
    public String names() {
        return names;
    }

    @Override
    public CompletableFuture<CallDetail> detail(List<CallReport> calls) {
        return CompletableFuture.supplyAsync(() -> readDetail(calls), again);
    }

    /** Messages are read to the end of the files; legs that are found meanwhile have more of them. */
    private CallDetail readDetail(List<CallReport> calls) {
        List<CallReport> known = current(calls);
        while (true) {
            CallMessages messages = saved.messages(known);
            CallDetail detail = rounds.ask(() -> CallDetail.of(current(calls), messages.kept(), messages.leftOut()))
                    .join();
            if (callIds(detail.calls()).equals(callIds(known))) {
                return detail;
            }
            known = detail.calls();
        }
    }

    private List<CallReport> current(List<CallReport> calls) {
        return LaterCalls.of(calls, state.result().calls());
    }

    private static Set<String> callIds(List<CallReport> calls) {
        return calls.stream()
                .flatMap(call -> call.dialogs().stream())
                .map(CallReport.Dialog::callId)
                .collect(Collectors.toSet());
    }

    /** Writes them once all is read: the rest of the files may have more of them. */
    @Override
    public CompletableFuture<String> save(List<CallReport> calls, Path file) {
        try {
            CallText.check(file);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return write(current(calls), file);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                reading);
    }

    private String write(List<CallReport> calls, Path file) throws IOException {
        CallText.check(file);
        if (CallText.isAskedFor(file)) {
            List<CallDetail> details = new ArrayList<>();
            calls.forEach(call -> details.add(readDetail(List.of(call))));
            CallText.write(details, view, file);
            return Words.count(calls.size(), "call") + " written to " + file;
        }
        return SavedCalls.isScenario(file)
                ? saved.scenarios(calls, file, state.result().capture(), faults)
                : saved.packets(calls, file);
    }

    @Override
    public boolean isOver() {
        return false;
    }

    @Override
    public void close() {
        reading.shutdownNow();
        again.shutdownNow();
    }
}
