package io.offhook.cli.input;

import io.offhook.analysis.AddedSink;
import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.FilteredSource;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The files that a command was given, read as one capture. Files that cannot be read, or are damaged, are reported on
 * standard error; a damaged file is read up to the damage.
 */
public final class OpenCapture implements AutoCloseable {
    private final CaptureFileSource files;
    /** The selected frames. */
    private final PacketSource source;

    private final FirstDefect defect;
    private final Terminal terminal;
    private final @Nullable KeyOptions keys;
    private @Nullable Thread closing;
    private @Nullable AnalysisOptions analysed;

    private OpenCapture(
            CaptureFileSource files,
            PacketSource source,
            FirstDefect defect,
            @Nullable KeyOptions keys,
            Terminal terminal) {
        this.keys = keys;
        this.files = files;
        this.source = source;
        this.defect = defect;
        this.terminal = terminal;
    }

    /** Opens all files and patterns, merged by time. */
    public static OpenCapture open(List<String> files, Terminal terminal) {
        return open(files, null, terminal);
    }

    /** As {@link #open(List, Terminal)}; with only the frames that a filter matches. */
    public static OpenCapture open(List<String> files, @Nullable FrameFilter filter, Terminal terminal) {
        return open(files, selection(filter), new FirstDefect(), null, terminal);
    }

    /**
     * As {@link #open(List, Terminal)}.
     *
     * @param selection wraps the source to read only selected frames
     * @param defect keeps the first contained exception, possibly of an earlier pass
     * @param keys with which an analysis opens what is encrypted; or null
     */
    static OpenCapture open(
            List<String> files,
            UnaryOperator<PacketSource> selection,
            FirstDefect defect,
            @Nullable KeyOptions keys,
            Terminal terminal) {
        CaptureFileSource opened = CaptureFiles.open(files, terminal.in());
        return new OpenCapture(opened, selection.apply(opened), defect, keys, terminal);
    }

    /** Wraps a source to read only frames that the filter matches; all frames if it is null. */
    static UnaryOperator<PacketSource> selection(@Nullable FrameFilter filter) {
        return filter == null ? UnaryOperator.identity() : source -> new FilteredSource(source, filter);
    }

    public PacketSource source() {
        return source;
    }

    /** The keys that were given; null if none were. */
    public @Nullable KeyOptions keys() {
        return keys;
    }

    /** Bytes of all files on disk, or -1 if one of them is a pipe. */
    public long size() {
        return files.size();
    }

    /**
     * Reads the capture and finds the calls, showing progress. Afterwards the source is closed on another thread:
     * unmapping half a gigabyte takes longer than printing a call.
     */
    public AnalysisResult analyse(AnalysisOptions options) {
        return analyse(options, null);
    }

    /** As above, with another sink that receives the traffic; null for none. */
    public AnalysisResult analyse(AnalysisOptions options, @Nullable AddedSink added) {
        return analysed(
                options, used -> added == null ? Analysis.run(source, used) : Analysis.run(source, used, added));
    }

    /** As {@link #analyse(AnalysisOptions)}; {@code follower} receives results before the end, as by {@link Analysis#follow}. */
    public AnalysisResult follow(AnalysisOptions options, Consumer<? super AnalysisResult> follower) {
        return analysed(options, used -> Analysis.follow(source, used, follower));
    }

    private AnalysisResult analysed(AnalysisOptions options, Function<AnalysisOptions, AnalysisResult> analysis) {
        analysed = options;
        AnalysisResult result;
        try (Progress _ = progress()) {
            result = analysis.apply(keys == null ? options : keys.in(options));
            failed(result.defect());
        }
        closing = Thread.ofPlatform().daemon().name("offhook-closing").start(source::close);
        return result;
    }

    /** The options of the last analysis; null if there was none. */
    @Nullable
    AnalysisOptions analysed() {
        return analysed;
    }

    /** Records a failure that was contained, for {@link #reportFaults} to report; null if there was none. */
    public void failed(@Nullable RuntimeException thrown) {
        defect.keep(thrown);
    }

    /** Shows how far reading has come, until it is closed. */
    public Progress progress() {
        return Progress.of(() -> Progress.line(files.position(), files.size()), terminal);
    }

    /** How far reading has come: "47 % of 2.6 GB". May be called by any thread. */
    public String progressText() {
        return Progress.line(files.position(), files.size()).strip();
    }

    public List<CaptureFile> files() {
        return files.files();
    }

    public List<CaptureFault> faults() {
        return source.faults();
    }

    /** Whether no packet could be read, so that only the faults of the files are reported. */
    public boolean isUnreadable() {
        return !source.faults().isEmpty()
                && files.files().stream().mapToLong(CaptureFile::packets).sum() == 0;
    }

    /**
     * Reports the faults of the files and the first contained failure. Called at the end, when everything was read and
     * printed.
     *
     * @param code the exit code if there are neither faults nor failures
     * @return {@link ExitCode#INTERNAL} after a contained failure, else {@link ExitCode#UNREADABLE} if a file was
     *     damaged or could not be read, else {@code code}
     */
    public int reportFaults(int code) {
        return report(source.faults(), defect.thrown(), code, terminal);
    }

    /** As {@link #reportFaults(int)}, for other files. */
    public static int report(
            List<CaptureFault> faults, @Nullable RuntimeException thrown, int code, Terminal terminal) {
        for (CaptureFault fault : faults) {
            terminal.error(fault.describe());
        }
        if (thrown != null) {
            terminal.defect("internal error (a bug in Offhook); the affected item was skipped", thrown);
            return ExitCode.INTERNAL;
        }
        return faults.isEmpty() ? code : ExitCode.UNREADABLE;
    }

    @Override
    public void close() {
        if (closing == null) {
            source.close();
            return;
        }
        try {
            closing.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
