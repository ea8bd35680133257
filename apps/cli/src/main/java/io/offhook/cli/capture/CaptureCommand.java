package io.offhook.cli.capture;

import io.offhook.cli.command.Amount;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.LaneOptions;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.input.RotationOptions;
import io.offhook.cli.rewrite.RewriteTarget;
import io.offhook.cli.terminal.StatusLine;
import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.file.RotationLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code offhook capture -i NAME... -w FILE}: captures from interfaces to a file or a series of files. */
public final class CaptureCommand implements Command {
    static final long DEFAULT_WRITE_BUFFER = 64L << 20;
    private static final long MIN_WRITE_BUFFER = 1L << 20;
    private static final long MAX_WRITE_BUFFER = 16L << 30;

    @Override
    public void describe(CommandSpec spec) {
        LiveOptions.describe(spec);
        RewriteTarget.describe(
                spec,
                "The file to write; - for standard output. With --packets, --bytes or --seconds, the name of a series:"
                        + " name.pcapng becomes name_00001_20261121170300.pcapng and so on, with number and time (UTC)"
                        + " of the first packet.");
        RotationOptions.describe(spec);
        spec.addOption("--total-bytes", "SIZE", String.class, "Stop after this many bytes of captured packets.");
        spec.addOption(
                "--write-buffer",
                "SIZE",
                String.class,
                "Memory for packets waiting for the disk (default 64Mi, rounded to a power of two). Packets that arrive"
                        + " while it is full are dropped, and counted as disk drops.");
        LaneOptions.describe(spec);
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        LiveOptions options = LiveOptions.of(arguments);
        LaneOptions lanes = LaneOptions.of(arguments);
        boolean isSeries = RotationOptions.isGiven(arguments);
        RewriteTarget target = RewriteTarget.of(arguments, output, terminal, isSeries);
        RotationLimits limits = isSeries ? RotationOptions.limits(arguments) : RotationLimits.NONE;
        if (!isSeries && arguments.hasMatchedOption("--keep")) {
            throw new MisuseException(
                    "--keep requires --packets, --bytes or --seconds, which set the size of each file");
        }
        String totalBytes = arguments.optionValue("--total-bytes", String.class);
        long most = totalBytes == null ? Long.MAX_VALUE : Amount.bytes("--total-bytes", totalBytes);
        long writeBuffer = writeBuffer(arguments.optionValue("--write-buffer", String.class));
        target.check(List.of());
        if (options.isRehearsed()) {
            CaptureRun.rehearse(options, target.format());
        }
        CaptureRun run;
        @Nullable IOException unwritable = null;
        int faults;
        try (LiveInput input = LiveInput.open("capture", options, lanes.placement())) {
            CaptureWriting writing = CaptureWriting.open(target, isSeries ? limits : null, input, options, terminal);
            run = new CaptureRun(input.source(), writing, most, writeBuffer, lanes.placement());
            input.start(true, terminal);
            try (StatusLine _ = CaptureStatus.of(run, lanes.placement(), terminal)) {
                run.run();
            } catch (UncheckedIOException e) {
                unwritable = target.reported(e);
            }
            CaptureStatistics statistics = run.statistics(target, input, unwritable != null);
            CaptureStatisticsOutput.print(statistics, lanes.reported(), output, target.isStandardOutput(), terminal);
            if (unwritable == null || !target.isStandardOutput()) {
                terminal.flush();
            }
            faults = input.reportFaults(ExitCode.DONE, terminal);
        }
        if (unwritable != null) {
            throw unwritable;
        }
        return faults;
    }

    private static long writeBuffer(@Nullable String text) {
        if (text == null) {
            return DEFAULT_WRITE_BUFFER;
        }
        long bytes = Amount.bytes("--write-buffer", text);
        if (bytes < MIN_WRITE_BUFFER || bytes > MAX_WRITE_BUFFER) {
            throw new MisuseException("--write-buffer " + text + " is outside 1Mi to 16Gi");
        }
        return bytes;
    }
}
