package io.offhook.cli.replay;

import io.offhook.cli.command.Amount;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.FrameFilter;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.LaneOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.terminal.Interruption;
import io.offhook.cli.terminal.StatusLine;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LanePlacement;
import io.offhook.live.replay.Replay;
import io.offhook.live.replay.ReplayOptions;
import io.offhook.live.replay.ReplayReport;
import io.offhook.live.replay.ReplayReport.End;
import io.offhook.live.replay.ReplaySpeed;
import io.offhook.pcap.FilteredSource;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code offhook replay FILE... -i IF}: sends captures to an interface. */
public final class ReplayCommand implements Command {
    private static final Pattern RATE = Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,6})?)([kmgKMG]?)(pps|bps)");

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        ReplayTarget.describe(spec);
        spec.addOption(
                "--rate",
                "RATE",
                String.class,
                "Send evenly at this rate: packets (10kpps) or bits (100Mbps) per second. Bits are those of packets in"
                        + " the capture, without preamble, gap and check sequence. Default: as recorded.");
        spec.addOption("--multiply", "F", String.class, "Send as recorded, but F times as fast: 2 or 0.5.");
        spec.addFlag("--top-speed", "Send as fast as the interface accepts packets.");
        spec.addOption("--loop", "N", Long.class, "Replay everything N times (default 1); 0 repeats until stopped.");
        InputOptions.describeFilter(spec);
        spec.addOption("--count", "N", Long.class, "Stop after this many packets.");
        Amount.describeDuration(spec);
        spec.addFlag("--pad", "Pad packets that the capture truncated with zeros. By default, they are left out.");
        LaneOptions.describe(spec);
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        List<String> files = InputOptions.files(arguments, 0);
        ReplaySpeed speed = speed(arguments);
        long passes = passes(arguments, files);
        LaneOptions lanes = LaneOptions.of(arguments);
        ReplayOptions options = new ReplayOptions(
                speed,
                passes,
                positive("--count", arguments),
                Amount.durationNs(arguments, 0),
                arguments.hasMatchedOption("--pad"),
                lanes.idleStrategy());
        FrameFilter filter = InputOptions.filter(arguments);
        try (ReplayTarget target = ReplayTarget.open(arguments)) {
            if (filter != null) {
                filter.apply(target.sink().linkType()); // a bad expression is reported before anything is sent
            }
            target.reportMissingCarrier(terminal);
            long dropsBefore = target.device().sendDrops();
            Replay replay = new Replay(() -> source(files, filter, terminal), target.sink(), options);
            ReplayReport report;
            try (Interruption _ = Interruption.of(replay::stop);
                    StatusLine _ = ReplayStatus.of(replay, lanes.placement(), terminal)) {
                report = run(replay, lanes.placement());
            }
            if (report.read() == 0 && !replay.faults().isEmpty()) {
                return OpenCapture.report(replay.faults(), null, ExitCode.UNREADABLE, terminal);
            }
            ReplayOutput.Result result = new ReplayOutput.Result(
                    CaptureFiles.expand(files),
                    target.device(),
                    options,
                    report,
                    since(dropsBefore, target.device().sendDrops()),
                    lanes.reported(),
                    replay.faults());
            ReplayOutput.print(result, output, terminal);
            return code(result, terminal);
        }
    }

    /** The increase of a counter, if both values are known. */
    private static long since(long before, long after) {
        return before < 0 || after < 0 ? -1 : after - before;
    }

    private static PacketSource source(List<String> files, @Nullable FrameFilter filter, Terminal terminal) {
        PacketSource source = CaptureFiles.open(files, terminal.in());
        return filter == null ? source : new FilteredSource(source, filter);
    }

    /** Replays on a separate thread: pinning the calling thread would also pin threads that it starts. */
    private static ReplayReport run(Replay replay, LanePlacement placement) {
        FutureTask<ReplayReport> lane = new FutureTask<>(() -> {
            placement.enter("replay");
            try {
                return replay.run();
            } finally {
                placement.leave();
            }
        });
        Thread.ofPlatform().name("offhook-replay").daemon().start(lane);
        try {
            return lane.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            if (e.getCause() instanceof Error thrown) {
                throw thrown;
            }
            throw new IllegalStateException("packets could not be sent", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while packets were sent", e);
        }
    }

    private static int code(ReplayOutput.Result result, Terminal terminal) throws IOException {
        terminal.flush();
        if (result.report().end() == End.INTERFACE_GONE) {
            terminal.error("interface " + result.device().name() + " has disappeared");
        }
        boolean isSent = result.report().end() != End.INTERFACE_GONE
                && result.report().counts().interfaceDown() == 0;
        return OpenCapture.report(result.faults(), null, isSent ? ExitCode.DONE : ExitCode.UNWRITABLE, terminal);
    }

    private static long passes(ParseResult arguments, List<String> files) {
        long passes = arguments.matchedOptionValue("--loop", 1L);
        if (passes < 0) {
            throw new MisuseException("--loop " + passes + " is less than 0");
        }
        if (passes != 1 && files.contains("-")) {
            throw new MisuseException("--loop " + passes + ": standard input can be read once only");
        }
        return passes;
    }

    private static long positive(String option, ParseResult arguments) {
        long value = arguments.matchedOptionValue(option, 0L);
        if (arguments.hasMatchedOption(option) && value < 1) {
            throw new MisuseException(option + " " + value + " is less than 1");
        }
        return value;
    }

    private static ReplaySpeed speed(ParseResult arguments) {
        String rate = arguments.optionValue("--rate", String.class);
        String multiplier = arguments.optionValue("--multiply", String.class);
        boolean isTop = arguments.hasMatchedOption("--top-speed");
        if ((rate == null ? 0 : 1) + (multiplier == null ? 0 : 1) + (isTop ? 1 : 0) > 1) {
            throw new MisuseException("of --rate, --multiply and --top-speed only one can be");
        }
        if (isTop) {
            return ReplaySpeed.top();
        }
        return rate == null ? ReplaySpeed.recorded(multiplier(multiplier)) : rate(rate);
    }

    private static double multiplier(@Nullable String text) {
        if (text == null) {
            return 1;
        }
        if (text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?") && new BigDecimal(text).signum() > 0) {
            return Double.parseDouble(text);
        }
        throw new MisuseException("--multiply " + text + " is not a number above 0; examples: 2, 0.5");
    }

    /** Parses a rate with powers of ten: "10kpps", "100Mbps", "0.5pps". */
    static ReplaySpeed rate(String text) {
        Matcher matcher = RATE.matcher(text);
        if (matcher.matches()) {
            int power = 3 * ("kmg".indexOf(matcher.group(2).toLowerCase(Locale.ROOT)) + 1);
            double value = new BigDecimal(matcher.group(1))
                    .movePointRight(matcher.group(2).isEmpty() ? 0 : power)
                    .doubleValue();
            if (value > 0) {
                return matcher.group(3).equals("pps")
                        ? ReplaySpeed.framesPerSecond(value)
                        : ReplaySpeed.bitsPerSecond(value);
            }
        }
        throw new MisuseException("--rate " + text + " is not a rate; examples: 200pps, 10kpps, 64kbps, 100Mbps");
    }
}
