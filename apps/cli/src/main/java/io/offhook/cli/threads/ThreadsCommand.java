package io.offhook.cli.threads;

import io.offhook.cli.command.Amount;
import io.offhook.cli.command.CommandGroup;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.xray.XrayCommand;
import io.offhook.linux.lanes.PublishedLanes;
import io.offhook.monitor.CycleWatch;
import io.offhook.monitor.JavaWatch;
import io.offhook.monitor.LaneWatch;
import io.offhook.monitor.NoProcessException;
import io.offhook.monitor.Processes;
import io.offhook.monitor.ThreadWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code offhook threads PID|NAME}: what the threads of a process do, each second; of a JVM, in Java, too. */
public final class ThreadsCommand implements CommandGroup {
    private static final String SELF = "self";
    private static final String METHODS = "--methods";
    private static final String CYCLES = "--cycles";
    private static final long LEAST_NS = 100_000_000L;
    private static final int MOST_NAMED = 10;

    @Override
    public List<Nested> nested() {
        return List.of(
                new Nested("play", "Play a recording, export it, or plot it.", PlayCommand::new),
                new Nested(
                        "compare",
                        "Compare two recordings thread by thread, last night's and this one's.",
                        CompareCommand::new));
    }

    @Override
    public boolean hasParameters() {
        return true;
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter(
                "PROCESS",
                "Its number; or its name: of the program, of Java the main class or the jar, or of a live command of Offhook, such"
                        + " as calls, capture, forward, proxy or serve, whose lanes are shown, too; or self, for this process: what a"
                        + " watch itself does and takes. One that is called like a command below is named behind --.");
        spec.addOption(
                "--every", "TIME", String.class, "How often the threads are read: default 1 (second), at least 0.1.");
        spec.addOption(
                "--for",
                "TIME",
                String.class,
                "End after this time, such as 12s or 10m; by default when the process ends, or with Ctrl-C.");
        spec.addFlag(
                METHODS,
                "Of a JVM, also the methods that each thread runs most, and what it allocates. The JVM samples its stacks"
                        + " meanwhile, each 20 ms (docs/OUTPUT.md).");
        spec.addFlag(
                CYCLES,
                "Also the cycles of the processor that each thread takes, by perf events: where processor and kernel have them.");
        ThreadRecorder.describe(spec);
        PlotOption.describe(spec);
        XrayCommand.describe(spec);
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        String every = arguments.matchedOptionValue("--every", "1");
        long everyNs = Amount.seconds("--every", every);
        if (everyNs < LEAST_NS) {
            throw new MisuseException("--every " + every + " is less than 0.1 seconds");
        }
        String duration = arguments.optionValue("--for", String.class);
        long durationNs = duration == null ? Long.MAX_VALUE : Amount.seconds("--for", duration);
        String system = System.getProperty("os.name");
        if (!system.equals("Linux")) {
            throw new MisuseException("offhook threads needs Linux; this is " + system);
        }
        Processes.Named process = process(arguments.parameter(0));
        if (XrayCommand.isGiven(arguments)) {
            return XrayCommand.run(arguments, process, durationNs, terminal);
        }
        Path plot = PlotOption.of(arguments);
        // the JVM takes its time to be attached to, which is no part of the watch
        boolean isProfiled = arguments.hasMatchedOption(METHODS);
        try (JavaWatch java = isProfiled ? JavaWatch.profiling(process.pid()) : JavaWatch.of(process.pid());
                ThreadWatch watch = ThreadWatch.of(process.pid());
                CycleWatch cycles = arguments.hasMatchedOption(CYCLES) ? CycleWatch.create() : null;
                ThreadRecorder recorder = ThreadRecorder.of(arguments, process, everyNs)) {
            ThreadsRun.Kept kept = new ThreadsRun.Kept(recorder, plot);
            if (isProfiled && !java.isJvm()) {
                List<String> notes = java.notes();
                throw new MisuseException(METHODS + " needs a HotSpot JVM"
                        + (notes.isEmpty()
                                ? ", which process " + process.pid() + " is not"
                                : "; " + String.join("; ", notes)));
            }
            ThreadsRun.Watches watches = new ThreadsRun.Watches(watch, java, LaneWatch.of(process.pid()), cycles);
            return new ThreadsRun(process, watches, everyNs, OutputOptions.of(arguments), kept, terminal)
                    .run(durationNs);
        } catch (NoProcessException e) {
            terminal.error(String.valueOf(e.getMessage()));
            return ExitCode.UNREADABLE;
        }
    }

    private static Processes.Named process(String text) {
        if (text.matches("[1-9][0-9]{0,9}")) {
            return Processes.numbered(Long.parseLong(text));
        }
        if (text.equals(SELF)) {
            return Processes.numbered(ProcessHandle.current().pid());
        }
        List<Processes.Named> found = Processes.named(text);
        if (found.isEmpty()) {
            found = PublishedLanes.named(text).stream().map(Processes::numbered).toList();
        }
        if (found.isEmpty()) {
            throw new MisuseException(
                    "no process is called " + text + ", and no live command of that name publishes lanes");
        }
        if (found.size() > 1) {
            List<String> lines = new ArrayList<>();
            lines.add(found.size() + " processes are called " + text + "; choose one by its number:");
            found.stream().limit(MOST_NAMED).forEach(one -> lines.add(one.pid() + "  " + one.commandLine()));
            throw new MisuseException(lines);
        }
        return found.getFirst();
    }
}
