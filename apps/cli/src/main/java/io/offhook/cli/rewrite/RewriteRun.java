package io.offhook.cli.rewrite;

import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.packet.edit.PacketAnonymizer;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.FileTruncatedException;
import io.offhook.pcap.LinkTypeException;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.CaptureRewrite;
import io.offhook.pcap.file.CaptureRewriteReport;
import io.offhook.pcap.file.FileSeries;
import io.offhook.pcap.file.RotationLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rewrites capture files, shows progress, and reports the result. */
final class RewriteRun {
    /** The content of the report. */
    record Result(
            CaptureRewriteReport report,
            List<CaptureFile> inputs,
            List<CaptureFault> faults,
            RewriteTarget target,
            @Nullable RewriteSelection selection) {

        /** The anonymiser; null if not requested. */
        @Nullable
        PacketAnonymizer anonymizer() {
            return selection == null ? null : selection.anonymizer();
        }
    }

    private RewriteRun() {}

    /**
     * Reads the files and writes the target.
     *
     * @param limits the limits of each file of a series; null for a single file
     * @return the exit code
     */
    static int run(
            List<String> files,
            RewriteTarget target,
            @Nullable RewriteSelection selection,
            @Nullable RotationLimits limits,
            OutputOptions output,
            Terminal terminal)
            throws IOException {
        List<String> paths = CaptureFiles.expand(files);
        target.check(paths);
        Result result;
        try (CaptureRewrite rewrite = CaptureRewrite.open(files, terminal.in());
                Progress _ = Progress.of(() -> Progress.line(rewrite.position(), rewrite.size()), terminal)) {
            rewrite.format(target.format());
            if (selection != null) {
                rewrite.edit(selection);
            }
            if (isUnreadable(rewrite)) {
                return OpenCapture.report(rewrite.faults(), null, ExitCode.UNREADABLE, terminal);
            }
            CaptureRewriteReport report =
                    limits == null ? toFile(rewrite, target) : toSeries(rewrite, target, limits, paths);
            result = new Result(report, rewrite.files(), rewrite.faults(), target, selection);
        } catch (FileTruncatedException e) {
            throw e; // a file that is read, not the output
        } catch (UncheckedIOException e) {
            throw target.reported(e);
        } catch (LinkTypeException e) {
            throw new MisuseException(String.valueOf(e.getMessage()));
        } finally {
            target.abandon();
        }
        if (!target.isStandardOutput()) {
            RewriteOutput.print(result, output, terminal);
        }
        terminal.flush();
        return OpenCapture.report(result.faults(), null, ExitCode.DONE, terminal);
    }

    /** Whether no file is readable, in which case nothing is written. */
    private static boolean isUnreadable(CaptureRewrite rewrite) {
        return rewrite.files().stream().allMatch(file -> file.format() == null);
    }

    private static CaptureRewriteReport toFile(CaptureRewrite rewrite, RewriteTarget target) throws IOException {
        CaptureRewriteReport report = rewrite.to(target.open());
        target.finish();
        return report;
    }

    private static CaptureRewriteReport toSeries(
            CaptureRewrite rewrite, RewriteTarget target, RotationLimits limits, List<String> paths) {
        try {
            return rewrite.to(series(target, limits, paths), limits);
        } catch (FileSeries.SparedException e) {
            throw overwriting(target, e);
        }
    }

    /** The series of files that a target names, none of which may also be read. */
    static FileSeries series(RewriteTarget target, RotationLimits limits, List<String> paths) {
        FileSeries series = new FileSeries(target.file(), limits.files(), target.compression());
        List<Path> read = new ArrayList<>();
        for (String path : paths) {
            try {
                read.add(Path.of(path));
            } catch (InvalidPathException e) {
                // already reported as unreadable
            }
        }
        series.spare(read);
        return series;
    }

    static MisuseException overwriting(RewriteTarget target, FileSeries.SparedException e) {
        return new MisuseException("-w " + target + ": " + e.getMessage());
    }
}
