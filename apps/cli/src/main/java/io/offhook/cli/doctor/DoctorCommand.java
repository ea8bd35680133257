package io.offhook.cli.doctor;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.doctor.Doctor;
import io.offhook.doctor.DoctorReport;
import io.offhook.doctor.PortWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code offhook doctor}: checks this machine for what loses packets, and advises commands. It changes nothing. */
public final class DoctorCommand implements Command {
    private static final long SECOND_NS = 1_000_000_000L;

    @Override
    public void describe(CommandSpec spec) {
        spec.addOption(
                "-i",
                "--interface",
                "IF",
                List.class,
                "Check only this interface; repeat -i for several. Default: all that are up, except the"
                        + " loopback.");
        spec.addFlag("-v", "--verbose", "Also list what was checked and is fine.");
        spec.addFlag(
                "--watch",
                "Check at intervals and report queues and drop counters that grew," + " until Ctrl-C or --count.");
        spec.addOption(
                "--port",
                "PORT",
                List.class,
                "With --watch: the queues, drops and retransmissions of the UDP and TCP sockets on this port, by program;"
                        + " repeat --port for several.");
        spec.addOption("--interval", "SECONDS", String.class, "Seconds between two checks (default 1).");
        spec.addOption("--count", "N", Integer.class, "With --watch: stop after this many checks.");
        spec.addOption(
                "--emit",
                "FILE",
                String.class,
                "Print the advice as a file: sysctl.conf, for /etc/sysctl.d, or commands.sh, for everything"
                        + " else.");
        spec.addOption(
                "--root",
                "DIR",
                String.class,
                "Read a copy of another machine's /proc and /sys below DIR, such as sosreport makes.");
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        boolean isWatching = arguments.hasMatchedOption("--watch");
        String emitted = arguments.matchedOptionValue("--emit", "");
        String root = arguments.matchedOptionValue("--root", "");
        int count = count(arguments, isWatching);
        long intervalNs = interval(arguments);
        if (!emitted.isEmpty() && !emitted.equals(DoctorScripts.SYSCTL) && !emitted.equals(DoctorScripts.COMMANDS)) {
            throw new MisuseException(
                    "--emit " + emitted + " is not one of " + DoctorScripts.SYSCTL + ", " + DoctorScripts.COMMANDS);
        }
        if (isWatching && !(emitted.isEmpty() && root.isEmpty())) {
            throw new MisuseException("--watch cannot be combined with --emit or --root");
        }
        if (arguments.hasMatchedOption("--interval") && !root.isEmpty()) {
            throw new MisuseException("--interval cannot be combined with --root: a copy is read once");
        }
        PortWatch ports = ports(arguments.matchedOptionValue("--port", List.of()), isWatching);
        Doctor doctor = open(root, arguments.matchedOptionValue("--interface", List.of()));
        try {
            if (isWatching) {
                return new DoctorWatch(doctor, ports, output, terminal).run(intervalNs, count);
            }
            doctor.look();
            if (root.isEmpty()) {
                TimeUnit.NANOSECONDS.sleep(intervalNs);
                doctor.look();
            }
            return print(doctor.report(), arguments, emitted, output, terminal);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERNAL;
        }
    }

    private static int print(
            DoctorReport report, ParseResult arguments, String emitted, OutputOptions output, Terminal terminal)
            throws IOException {
        if (!emitted.isEmpty()) {
            terminal.out().append(DoctorScripts.of(emitted, report));
            terminal.flush();
            return ExitCode.DONE;
        }
        switch (output.format()) {
            case TABLE ->
                new DoctorText(terminal, terminal.isColored(output.color()))
                        .print(report, arguments.hasMatchedOption("--verbose"));
            case JSON -> DoctorFields.json(report, terminal);
            case CSV -> DoctorFields.csv(report, terminal);
        }
        terminal.flush();
        return report.mustChange() ? ExitCode.FOUND : ExitCode.DONE;
    }

    private static Doctor open(String root, List<String> interfaces) {
        String system = System.getProperty("os.name");
        if (root.isEmpty() && !system.equals("Linux")) {
            throw new MisuseException("offhook doctor needs Linux, or --root; this is " + system);
        }
        Path copy = Path.of(root);
        if (!root.isEmpty() && !Files.isDirectory(copy.resolve("proc"))) {
            throw new MisuseException("--root " + root + " has no directory proc");
        }
        try {
            return root.isEmpty() ? Doctor.ofThisMachine(interfaces) : Doctor.ofCopy(copy, interfaces);
        } catch (IllegalArgumentException e) {
            throw new MisuseException(String.valueOf(e.getMessage()));
        }
    }

    /** The watch of the ports; null if none is chosen. */
    private static @Nullable PortWatch ports(List<String> texts, boolean isWatching) {
        Set<Integer> ports = new TreeSet<>();
        for (String text : texts) {
            int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
            if (port < 1 || port > 65_535) {
                throw new MisuseException("--port " + text + " is not a port, 1 to 65535");
            }
            ports.add(port);
        }
        if (!ports.isEmpty() && !isWatching) {
            throw new MisuseException("--port requires --watch");
        }
        return ports.isEmpty() ? null : PortWatch.ofThisMachine(ports);
    }

    private static int count(ParseResult arguments, boolean isWatching) {
        int count = arguments.matchedOptionValue("--count", Integer.MAX_VALUE);
        if (count < 1) {
            throw new MisuseException("--count " + count + " is less than 1");
        }
        if (!isWatching && count != Integer.MAX_VALUE) {
            throw new MisuseException("--count requires --watch");
        }
        return count;
    }

    private static long interval(ParseResult arguments) {
        String text = arguments.matchedOptionValue("--interval", "1");
        if (!text.matches("\\d{1,5}(\\.\\d{1,3})?")) {
            throw new MisuseException("--interval " + text + " is not a number of seconds, such as 1 or 0.5");
        }
        long intervalNs = Math.round(Double.parseDouble(text) * SECOND_NS);
        if (intervalNs < SECOND_NS / 10) {
            throw new MisuseException("--interval " + text + " is less than 0.1 seconds");
        }
        return intervalNs;
    }
}
