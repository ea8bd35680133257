package io.offhook.cli.input;

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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The files that a command was given, read as one capture. What cannot be read, or is damaged, is told on standard error;
 * what comes before the damage is read.
 */
public final class OpenCapture implements AutoCloseable {
    private final CaptureFileSource files;
    /** The frames that are wanted. */
    private final PacketSource source;

    private final FirstDefect defect;
    private final Terminal terminal;
    private @Nullable Thread closing;

    private OpenCapture(CaptureFileSource files, PacketSource source, FirstDefect defect, Terminal terminal) {
        this.files = files;
        this.source = source;
        this.defect = defect;
        this.terminal = terminal;
    }

    /** Opens all files and patterns, merged by time. */
    public static OpenCapture open(List<String> files, Terminal terminal) {
        return open(files, null, terminal);
    }

    /** As {@link #open(List, Terminal)}; of the frames, those that a filter wants. */
    public static OpenCapture open(List<String> files, @Nullable FrameFilter filter, Terminal terminal) {
        return open(files, selection(filter), new FirstDefect(), terminal);
    }

    /**
     * As {@link #open(List, Terminal)}.
     *
     * @param selection what is read in the place of all frames
     * @param defect keeps what failed, in passes before, too
     */
    static OpenCapture open(
            List<String> files, UnaryOperator<PacketSource> selection, FirstDefect defect, Terminal terminal) {
        CaptureFileSource opened = CaptureFiles.open(files, terminal.in());
        return new OpenCapture(opened, selection.apply(opened), defect, terminal);
    }

    /** The frames of a source that a filter wants; all of them without one. */
    static UnaryOperator<PacketSource> selection(@Nullable FrameFilter filter) {
        return filter == null ? UnaryOperator.identity() : source -> new FilteredSource(source, filter);
    }

    public PacketSource source() {
        return source;
    }

    /** Bytes of all files as they lie on disk, or -1 when one of them is a pipe. */
    public long size() {
        return files.size();
    }

    /**
     * Reads all of it and finds the calls, showing progress. The source is closed then, beside what the caller does next:
     * giving half a gigabyte of mapped memory back takes longer than printing a call.
     */
    public AnalysisResult analyse(AnalysisOptions options) {
        AnalysisResult result;
        try (Progress _ = progress()) {
            result = Analysis.run(source, options);
            failed(result.defect());
        }
        closing = Thread.ofPlatform().daemon().name("offhook-closing").start(source::close);
        return result;
    }

    /** Takes down that something failed and was passed over: {@link #tellFaults} reports it. Null where nothing did. */
    public void failed(@Nullable RuntimeException thrown) {
        defect.keep(thrown);
    }

    /** Shows how far reading has come, until it is closed. */
    public Progress progress() {
        return Progress.of(() -> Progress.line(files.position(), files.size()), terminal);
    }

    public List<CaptureFile> files() {
        return files.files();
    }

    public List<CaptureFault> faults() {
        return source.faults();
    }

    /** Whether there was nothing to read: what was wrong with the files is all that can be said. */
    public boolean isUnreadable() {
        return !source.faults().isEmpty()
                && files.files().stream().mapToLong(CaptureFile::packets).sum() == 0;
    }

    /**
     * Reports what was wrong with the files, and that Offhook failed at some of what it read. For the end, when all was
     * read and printed.
     *
     * @param code what the command would end with
     * @return that, or {@link ExitCode#UNREADABLE} where a file was damaged or not readable; before these, {@link
     *     ExitCode#INTERNAL}
     */
    public int tellFaults(int code) {
        return tell(source.faults(), defect.thrown(), code, terminal);
    }

    /** As {@link #tellFaults}, of any files. */
    public static int tell(List<CaptureFault> faults, @Nullable RuntimeException thrown, int code, Terminal terminal) {
        for (CaptureFault fault : faults) {
            terminal.error(fault.describe());
        }
        if (thrown != null) {
            terminal.defect("internal error; what it occurred at was skipped", thrown);
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
