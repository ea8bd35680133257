package io.offhook.cli.serve;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.cli.calls.OpenedAudio;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.sql.CaptureDatabase;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.text.Words;
import io.offhook.store.CallStore;
import io.offhook.store.CaptureDrop;
import io.offhook.store.CaptureLoader;
import io.offhook.store.StoreException;
import io.offhook.web.data.CallData;
import io.offhook.web.data.InputState;
import io.offhook.web.metrics.CallMetrics;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads capture files into a database, on a thread of its own. {@link #close} ends that, and waits for it. */
final class FilledByFiles implements ServedCalls.Filling, AutoCloseable {
    private static final double WHOLE = 100;

    private final List<String> paths;
    private final AtomicLong revision = new AtomicLong();
    private final String name;
    private final CallMetrics metrics;
    private volatile @Nullable StoppableSource reading;
    private volatile boolean isClosed;
    private volatile @Nullable Thread thread;
    private volatile List<InputState> inputs;
    private volatile List<CallData.Drop> drops = List.of();
    private volatile List<String> notes = List.of();
    private final UnaryOperator<PacketSource> selection;
    private volatile @Nullable PacketsOfFiles packets;
    private volatile @Nullable ComparedFiles points;

    /**
     * Creates it.
     *
     * @param paths files, or patterns of such
     * @param name of the capture, in the column {@code source}
     * @param metrics counts the calls
     */
    FilledByFiles(List<String> paths, String name, CallMetrics metrics) {
        this(paths, name, metrics, UnaryOperator.identity());
    }

    /**
     * As {@link #FilledByFiles(List, String, CallMetrics)}.
     *
     * @param selection wraps each source to read only selected frames
     */
    FilledByFiles(List<String> paths, String name, CallMetrics metrics, UnaryOperator<PacketSource> selection) {
        this.selection = selection;
        this.paths = List.copyOf(paths);
        this.name = name;
        this.metrics = metrics;
        inputs = states(InputState.State.READING, null);
    }

    private List<InputState> states(InputState.State state, @Nullable String message) {
        List<InputState> states = new ArrayList<>(paths.size());
        for (String path : paths) {
            states.add(new InputState(shown(path), InputState.Kind.FILE, state, 0, InputState.Counts.NONE, message));
        }
        return List.copyOf(states);
    }

    /** A dropped capture is shown by the name that its user knows, not by that of its temporary file. */
    private String shown(String path) {
        return paths.size() == 1 ? name : path;
    }

    /**
     * Begins to read. What goes wrong is shown with the files.
     *
     * @param keys that were given, or null
     */
    void start(CallStore store, AnalysisOptions options, @Nullable KeyOptions keys, InputStream standardInput) {
        thread = Thread.ofPlatform()
                .daemon()
                .name("offhook-reading")
                .start(() -> read(store, options, keys, standardInput));
    }

    private void read(CallStore store, AnalysisOptions options, @Nullable KeyOptions keys, InputStream standardInput) {
        CaptureLoader loader = new CaptureLoader(store, name);
        try (CaptureFileSource source = CaptureFiles.open(paths, standardInput)) {
            StoppableSource files = new StoppableSource(source);
            reading = files;
            if (isClosed) {
                files.stop();
            }
            AnalysisResult analysed = Analysis.run(selection.apply(files), options.withListener(loader.listener()));
            if (!files.isStopped()) {
                AnalysisResult result = paths.contains("-")
                        ? analysed // it cannot be read again
                        : OpenedAudio.events(analysed, this::again, keys);
                store(result, loader);
                points = ComparedFiles.of(paths, options, selection);
                packets = new PacketsOfFiles(new SelectedFiles(paths, selection), result.calls(), options, keys);
                inputs = done(source);
            }
        } catch (StoreException | UncheckedIOException | MisuseException e) {
            inputs = states(InputState.State.FAILED, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            inputs = states(InputState.State.FAILED, "internal error (a bug in Offhook): " + e);
        } finally {
            reading = null;
            revision.incrementAndGet();
        }
    }

    private PacketSource again() {
        return new EndingSource(new SelectedFiles(paths, selection).open(), () -> isClosed);
    }

    private void store(AnalysisResult result, CaptureLoader loader) throws StoreException {
        CaptureReport capture = result.capture();
        List<CaptureDrop> lost = CaptureDatabase.drops(capture);
        loader.finish(result.calls(), result.registrations(), capture.lastNs(), lost);
        List<CallData.Drop> shown = new ArrayList<>(lost.size());
        for (CaptureDrop drop : lost) {
            shown.add(new CallData.Drop(Words.ofCamelCase(drop.cause()), drop.count()));
        }
        drops = List.copyOf(shown);
        notes = CaptureNotes.of(capture);
        metrics.loaded(capture, result.calls(), result.registrations().size());
    }

    private List<InputState> done(CaptureFileSource source) {
        List<InputState> states = new ArrayList<>();
        for (CaptureFile file : source.files()) {
            String message = null;
            for (CaptureFault fault : source.faults()) {
                if (fault.describe().contains(file.path())) {
                    message = fault.describe().replace(file.path(), shown(file.path()));
                }
            }
            boolean isFailed = message != null && file.packets() == 0;
            states.add(new InputState(
                    shown(file.path()),
                    InputState.Kind.FILE,
                    isFailed ? InputState.State.FAILED : InputState.State.DONE,
                    WHOLE,
                    InputState.Counts.read(file.packets(), file.sizeBytes()),
                    message));
        }
        return List.copyOf(states);
    }

    /** Waits until everything was read, or {@link #close} was called. */
    void await() {
        Thread started = thread;
        if (started != null) {
            try {
                started.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        isClosed = true;
        StoppableSource files = reading;
        if (files != null) {
            files.stop();
        }
        await();
        ComparedFiles compared = points;
        if (compared != null) {
            compared.close();
        }
    }

    @Override
    public long revision() {
        return revision.get();
    }

    @Override
    public List<InputState> inputs() {
        StoppableSource files = reading;
        if (files == null) {
            return inputs;
        }
        double percent = files.percent();
        List<InputState> states = new ArrayList<>();
        for (InputState input : inputs) {
            states.add(new InputState(
                    input.name(), input.kind(), input.state(), percent, input.counts(), input.message()));
        }
        return states;
    }

    @Override
    public List<CallData.Drop> drops() {
        return drops;
    }

    @Override
    public List<String> notes() {
        return notes;
    }

    @Override
    public @Nullable ComparedFiles points() {
        return points;
    }

    @Override
    public @Nullable PacketsOfFiles packets() {
        return packets;
    }
}
