package io.offhook.cli.serve;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.cli.where.CaptureComparison;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.web.data.CallData;
import io.offhook.web.data.CapturePoints;
import java.io.InputStream;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The files of a server as captures of several points. They are compared when somebody first asks, on a thread of its own, since
 * each has to be read twice.
 */
final class ComparedFiles implements CapturePoints, AutoCloseable {
    /** One letter each. */
    private static final int MOST_POINTS = 26;

    private final List<String> paths;
    private final AnalysisOptions options;
    private final UnaryOperator<PacketSource> selection;
    private volatile @Nullable CaptureComparison found;
    private volatile @Nullable String failure;
    private volatile @Nullable StoppableSource reading;
    private volatile boolean isClosed;
    private @Nullable Thread thread;

    private ComparedFiles(List<String> paths, AnalysisOptions options, UnaryOperator<PacketSource> selection) {
        this.selection = selection;
        this.paths = paths;
        this.options = options;
    }

    /** The comparison of some files; null if there is none, as of one file, or of a pipe. */
    static @Nullable ComparedFiles of(
            List<String> files, AnalysisOptions options, UnaryOperator<PacketSource> selection) {
        List<String> paths = CaptureFiles.expand(files);
        boolean isComparable = paths.size() > 1 && paths.size() <= MOST_POINTS && !paths.contains("-");
        return isComparable ? new ComparedFiles(List.copyOf(paths), options, selection) : null;
    }

    private synchronized void start() {
        if (thread == null && !isClosed) {
            thread = Thread.ofPlatform().daemon().name("offhook-comparing").start(this::compare);
        }
    }

    private void compare() {
        try {
            CaptureComparison compared = CaptureComparison.of(paths, options, i -> open(paths.get(i)));
            if (!isClosed) {
                found = compared;
            }
        } catch (RuntimeException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    private PacketSource open(String path) {
        StoppableSource source = new StoppableSource(CaptureFiles.open(List.of(path), InputStream.nullInputStream()));
        reading = source;
        if (isClosed) {
            source.stop();
        }
        return selection.apply(source);
    }

    @Override
    public Comparison compare(CallData.CallKey call) {
        start();
        CaptureComparison compared = found;
        if (compared != null) {
            return new Comparison(State.READY, out -> compared.write(call.callIds(), out));
        }
        String message = failure;
        return message == null ? Comparison.READING : Comparison.failed(message);
    }

    @Override
    public void close() {
        Thread started;
        synchronized (this) {
            isClosed = true;
            started = thread;
        }
        StoppableSource source = reading;
        if (source != null) {
            source.stop();
        }
        if (started != null) {
            try {
                started.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
