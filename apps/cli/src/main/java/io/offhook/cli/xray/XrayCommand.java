package io.offhook.cli.xray;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LanePlacement;
import io.offhook.monitor.NoProcessException;
import io.offhook.monitor.Processes;
import io.offhook.monitor.XrayWatch;
import java.io.IOException;
import java.util.List;

/** {@code offhook threads PROCESS --calls -i NAME}: the part of the command that looks into calls. */
public final class XrayCommand {
    private static final String CALLS = "--calls";
    private static final String FILTER = "--filter";
    private static final List<String> OF_THREADS = List.of("--every", "--record", "--plot", "--methods");

    private XrayCommand() {}

    /** Adds the options. */
    public static void describe(CommandSpec spec) {
        spec.addFlag(
                CALLS,
                "For a SIP process in Java: what it did in each gap between a message that came in and what it sent for it:"
                        + " garbage collector, monitors, run queue, socket, processor. Requires -i.");
        spec.addOption(
                "-i",
                LiveOptions.INTERFACE,
                "NAME",
                List.class,
                "With --calls: capture SIP from this interface; repeat -i for several. offhook interfaces lists all.");
        spec.addOption(
                FILTER,
                "EXPR",
                String.class,
                "With --calls: capture only packets that match, such as 'port 5060', to spare the media.");
    }

    /** Whether calls are to be looked into. */
    public static boolean isGiven(ParseResult arguments) {
        boolean isGiven = arguments.hasMatchedOption(CALLS);
        for (String option : List.of(LiveOptions.INTERFACE, FILTER)) {
            if (!isGiven && arguments.hasMatchedOption(option)) {
                throw new MisuseException(option + " requires --calls");
            }
        }
        return isGiven;
    }

    /** Looks into a process for so long. */
    public static int run(ParseResult arguments, Processes.Named process, long durationNs, Terminal terminal)
            throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        List<String> interfaces = arguments.matchedOptionValue(LiveOptions.INTERFACE, List.of());
        if (interfaces.isEmpty()) {
            throw new MisuseException("--calls requires -i NAME, the interface that SIP of process " + process.pid()
                    + " passes; offhook interfaces lists them");
        }
        if (output.format() == Format.CSV) {
            throw new MisuseException("--format csv cannot be combined with --calls; --format json has all gaps");
        }
        for (String option : OF_THREADS) {
            if (arguments.hasMatchedOption(option)) {
                throw new MisuseException(option + " cannot be combined with --calls; run offhook threads beside it");
            }
        }
        LiveOptions live = LiveOptions.on(interfaces, arguments.matchedOptionValue(FILTER, ""));
        LanePlacement placement = LanePlacement.anywhere();
        try (LiveInput input = LiveInput.open("threads", live, placement);
                XrayWatch watch = XrayWatch.of(process.pid())) {
            return new XrayRun(process, watch, input, output, terminal).run(durationNs);
        } catch (NoProcessException e) {
            terminal.error(String.valueOf(e.getMessage()));
            return ExitCode.UNREADABLE;
        }
    }
}
