package io.offhook.cli.forward;

import io.offhook.cli.command.Amount;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.FileWatch;
import io.offhook.cli.terminal.HangUp;
import io.offhook.cli.terminal.Interruption;
import io.offhook.cli.terminal.Terminal;
import io.offhook.config.ConfigDifference;
import io.offhook.config.ConfigException;
import io.offhook.config.ConfigFault;
import io.offhook.config.ConfigReader;
import io.offhook.dpdk.DpdkException;
import io.offhook.forward.Forwarder;
import io.offhook.forward.application.ForwardApplication;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.forward.application.ForwardRehearsal;
import io.offhook.forward.application.StageFigure;
import io.offhook.linux.LinuxException;
import io.offhook.linux.lanes.LaneBoard;
import io.offhook.live.Rehearsal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** {@code offhook forward --config FILE}: forwards packets between interfaces, as a YAML file describes. */
public final class ForwardCommand implements Command {
    private static final String PREFIX = "OFFHOOK_FORWARD_";
    /** The interval at which the end and the file are checked. */
    private static final long LOOK_NS = 100_000_000L;

    @Override
    public void describe(CommandSpec spec) {
        spec.addOption("-c", "--config", "FILE", String.class, "The configuration, in YAML (docs/FORWARD.md).");
        spec.addFlag("--check", "Only check the configuration, and report all faults with their lines.");
        spec.addOption(
                "--interval",
                "T",
                String.class,
                "Print figures at this interval: 1s, 500ms, 1m. Default: the interval in the configuration.");
        Amount.describeDuration(spec);
        spec.addFlag("--pin", "Report at the end on which processors lanes ran; the configuration pins them (core).");
        spec.addFlag(
                "--no-rehearsal",
                "Start at once. By default, the stages first run on generated packets for up to 1.5 s.");
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        if (output.format() == Format.CSV) {
            throw new MisuseException("--format csv is not supported by forward; use table or json");
        }
        String file = arguments.optionValue("--config", String.class);
        if (file == null) {
            throw new MisuseException("--config FILE is missing");
        }
        boolean isCheck = arguments.hasMatchedOption("--check");
        String system = System.getProperty("os.name");
        if (!isCheck && !system.equals("Linux")) {
            throw new MisuseException("forwarding needs Linux; this is " + system);
        }
        FileWatch watch =
                new FileWatch(Path.of(file)); // before the file is read, because opening ports may take seconds
        ForwardConfig config;
        try {
            config = reader(arguments, !isCheck).read(watch.file());
        } catch (ConfigException e) {
            report(e, terminal);
            return ExitCode.MISUSE;
        }
        if (isCheck) {
            terminal.out().append(file).append(": no faults\n");
            return ExitCode.DONE;
        }
        long durationNs = Amount.durationNs(arguments, Long.MAX_VALUE);
        if (!arguments.hasMatchedOption("--no-rehearsal")) {
            ForwardRehearsal.of(config);
        }
        ForwardApplication opened;
        try {
            opened = ForwardApplication.open(config);
        } catch (DpdkException | IllegalArgumentException e) { // faults that only the backend can find
            terminal.error(String.valueOf(e.getMessage()));
            return ExitCode.MISUSE;
        } catch (LinuxException e) {
            report(e, terminal);
            return ExitCode.MISUSE;
        }
        try (opened) {
            if (!run(opened, watch, arguments, output, durationNs, terminal)) {
                return ExitCode.MISUSE;
            }
        }
        return mirrored(opened.figures(), terminal);
    }

    /** Reports mirrors that failed. Called after they were closed, which writes queued packets. */
    private static int mirrored(List<StageFigure> figures, Terminal terminal) {
        int code = ExitCode.DONE;
        for (StageFigure figure : figures) {
            if (figure instanceof StageFigure.FileCount file && file.failure() != null) {
                terminal.error(ForwardOutput.unwritable(file));
                code = ExitCode.UNWRITABLE;
            }
        }
        return code;
    }

    /**
     * The reader of the configuration. Only a start checks it against this machine: {@code --check} may run on another one,
     * and a reload cannot change ports, lanes or files, and must accept an interface that is down.
     */
    private static ConfigReader<ForwardConfig> reader(ParseResult arguments, boolean isStart) {
        ConfigReader<ForwardConfig> reader = isStart ? ForwardConfig.readerForThisMachine() : ForwardConfig.reader();
        reader.environment(PREFIX, System.getenv());
        String interval = arguments.optionValue("--interval", String.class);
        return interval == null ? reader : reader.argument("statistics.interval", interval, "--interval");
    }

    private static void report(LinuxException e, Terminal terminal) {
        boolean isForbidden = e.errno() == LinuxException.EPERM;
        terminal.error(e.getMessage()
                + (isForbidden
                        ? "; this requires the capability CAP_NET_RAW, and for xdp also CAP_NET_ADMIN and CAP_BPF"
                        : ""));
    }

    /** Starts lanes and ports. @return false if the kernel does not let a port receive, which is reported */
    static boolean start(Forwarder forwarder, Runnable whenLanesRun, Terminal terminal) {
        try {
            forwarder.start(whenLanesRun);
            return true;
        } catch (LinuxException e) {
            report(e, terminal);
            return false;
        }
    }

    private static void report(ConfigException e, Terminal terminal) {
        for (ConfigFault fault : e.faults()) {
            terminal.error(fault.toString());
        }
    }

    /** @return false if it could not be started, which is reported */
    private static boolean run(
            ForwardApplication application,
            FileWatch watch,
            ParseResult arguments,
            OutputOptions output,
            long durationNs,
            Terminal terminal)
            throws IOException {
        Forwarder forwarder = application.forwarder();
        ForwardOutput figures = new ForwardOutput(application, output, terminal);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean isReloadAsked = new AtomicBoolean();
        try (LaneBoard board = LaneBoard.open("forward", null);
                Interruption _ = Interruption.of(end::countDown);
                HangUp _ = HangUp.to(() -> isReloadAsked.set(true))) {
            forwarder.placement().publishOn(board);
            figures.begin(forwarder.statistics());
            // print once and discard the output, so that classes are loaded before the first packets arrive
            ForwardOutput nowhere = new ForwardOutput(application, output, terminal.toNowhere());
            nowhere.begin(forwarder.statistics());
            nowhere.print(forwarder.statistics());
            Runnable whenLanesRun = arguments.hasMatchedOption("--no-rehearsal") ? () -> {} : Rehearsal::settle;
            if (!start(forwarder, whenLanesRun, terminal)) {
                return false;
            }
            long startNs = System.nanoTime();
            boolean isPinReported = arguments.hasMatchedOption("--pin");
            long printedNs = startNs;
            while (forwarder.isRunning() && System.nanoTime() - startNs < durationNs && !isOver(end)) {
                boolean isWritten = watch.look();
                if (isReloadAsked.getAndSet(false) || isWritten) {
                    watch.reading();
                    reload(application, watch.file(), arguments, terminal);
                }
                if (isPinReported) {
                    forwarder.placement().sample();
                }
                long intervalNs = application.config().run().intervalNs(); // a reload may change it
                long lateNs = System.nanoTime() - printedNs - intervalNs;
                if (lateNs >= 0) {
                    printedNs += intervalNs + lateNs / intervalNs * intervalNs; // missed intervals are skipped
                    figures.print(forwarder.statistics());
                }
            }
            forwarder.stop();
            figures.print(forwarder.statistics());
            if (isPinReported) {
                figures.printLanes(forwarder.placement().lanes());
            }
            return true;
        }
    }

    private static boolean isOver(CountDownLatch end) {
        try {
            return end.await(LOOK_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static void reload(ForwardApplication application, Path file, ParseResult arguments, Terminal terminal) {
        try {
            List<ConfigDifference> differences =
                    application.reload(reader(arguments, false).read(file));
            if (differences.isEmpty()) {
                terminal.error(file + " was reloaded");
            } else {
                terminal.error(file + " was not applied; these changes require a restart:");
                differences.forEach(difference -> terminal.error(difference.toString()));
            }
        } catch (ConfigException e) {
            terminal.error(file + " was not applied; it has faults:");
            report(e, terminal);
        }
    }
}
