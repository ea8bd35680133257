package io.offhook.cluster.command;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CallWatcher;
import io.offhook.calls.CallReport;
import io.offhook.cli.calls.LiveCalls;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.command.Version;
import io.offhook.cli.input.HepInput;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.LaneOptions;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cluster.event.EventOrigin;
import io.offhook.cluster.event.Heartbeat;
import io.offhook.cluster.event.Limits;
import io.offhook.cluster.file.EventFileWriter;
import io.offhook.cluster.probe.Probe;
import io.offhook.cluster.spool.EventOutbox;
import io.offhook.live.PlacedLanes;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** {@code offhook probe FILE... --to FILE.events}, {@code offhook probe -i NAME --to FILE.events}: writes events. */
public final class ProbeCommand implements Command {
    /** The sentence in the help. */
    public static final String SUMMARY =
            "Write what a capture or an interface shows as events: SIP, and media as figures; docs/CLUSTER.md.";

    private static final String TO = "--to";
    private static final String NAME = "--name";
    private static final String SITE = "--site";

    /** A probe without options. */
    public ProbeCommand() {}

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        spec.addOption(TO, "FILE", String.class, "Write the events to this file, which is replaced.");
        spec.addOption(
                NAME,
                "NAME",
                String.class,
                "The name of the probe: 1 to 235 characters of a-z A-Z 0-9 . _ - (default: that of this machine).");
        spec.addOption(SITE, "NAME", String.class, "The site that the probe is at, for display.");
        InputOptions.describeFilter(spec);
        InputOptions.describeMedia(spec);
        KeyOptions.describe(spec);
        KeyOptions.describeMedia(spec);
        InputOptions.describeLanes(spec);
        LiveOptions.describeInsteadOfFiles(spec);
        HepInput.describeInsteadOfFiles(spec);
        LaneOptions.describe(spec);
        LiveCalls.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        String to = arguments.optionValue(TO, String.class);
        if (to == null) {
            throw new MisuseException("where do the events go? --to FILE.events is missing");
        }
        String site = arguments.matchedOptionValue(SITE, "");
        if (site.getBytes(StandardCharsets.UTF_8).length > Limits.SITE) {
            throw new MisuseException(SITE + " is longer than " + Limits.SITE + " octets");
        }
        String name = arguments.matchedOptionValue(NAME, "");
        if (name.isEmpty()) {
            name = nameOfMachine();
        }
        long incarnation = EventOutbox.newIncarnation();
        check(name, incarnation);
        Heartbeat.About about = new Heartbeat.About(Limits.cut(Version.number(), Limits.NAME), site, "");
        boolean isLive = LiveOptions.isGiven(arguments);
        Path file = path(to);
        if (!isLive) {
            refuseInput(file, arguments);
        }
        // known to be right before the file is replaced
        AnalysisOptions options = isLive ? LiveCalls.analysis(arguments) : InputOptions.analysis(arguments);
        try (EventFileWriter events = new EventFileWriter(Files.newOutputStream(file), name, incarnation)) {
            Probe probe = new Probe(events, options.keptCalls(), about, Times::epochNs);
            int code = isLive ? live(arguments, options, probe, terminal) : files(arguments, options, probe, terminal);
            terminal.err()
                    .println("offhook: " + Words.count(events.events(), "event") + ", "
                            + Progress.bytes(events.octets()) + ", to " + to
                            + (probe.unsent() == 0
                                    ? ""
                                    : "; " + Decimals.grouped(probe.unsent()) + " could not be written"));
            return code;
        }
    }

    private static void check(String name, long incarnation) {
        try {
            EventOrigin _ = new EventOrigin(name, incarnation, 0, 1);
        } catch (IllegalArgumentException e) {
            throw new MisuseException(NAME + ": " + e.getMessage());
        }
    }

    private static Path path(String to) {
        try {
            return Path.of(to);
        } catch (InvalidPathException e) {
            throw new MisuseException(TO + " " + e.getMessage());
        }
    }

    private static void refuseInput(Path file, ParseResult arguments) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        for (String input : InputOptions.files(arguments, 0)) {
            try {
                if (Files.exists(Path.of(input)) && Files.isSameFile(file, Path.of(input))) {
                    throw new MisuseException(TO + " " + file + " is one of the captures");
                }
            } catch (InvalidPathException e) {
                // a pattern is no file
            }
        }
    }

    /** What of the machine's name may be in that of a probe. */
    private static String nameOfMachine() {
        try {
            String name = InetAddress.getLocalHost().getHostName().replaceAll("[^a-zA-Z0-9._-]", "-");
            return name.isEmpty() ? "probe" : name.substring(0, Math.min(name.length(), Limits.PROBE));
        } catch (UnknownHostException e) {
            return "probe";
        }
    }

    private static int files(ParseResult arguments, AnalysisOptions options, Probe probe, Terminal terminal)
            throws IOException {
        try (RereadableFiles files = RereadableFiles.of(
                                InputOptions.files(arguments, 0), InputOptions.filter(arguments), terminal, false)
                        .decrypted(arguments);
                OpenCapture input = files.open(terminal)) {
            KeyOptions keys = input.keys();
            try (Progress _ = input.progress()) {
                AnalysisResult result = Analysis.run(input.source(), keys == null ? options : keys.in(options), probe);
                input.failed(result.defect());
                probe.finish(result, input.source().endNs());
            }
            return input.reportFaults(0);
        }
    }

    private static int live(ParseResult arguments, AnalysisOptions options, Probe probe, Terminal terminal)
            throws IOException {
        LaneOptions lanes = LaneOptions.of(arguments);
        LiveOptions live = LiveOptions.of(arguments);
        if (live.isRehearsed()) {
            LiveCalls.rehearse(live, options);
        }
        try (KeyOptions keys = KeyOptions.of(arguments, List.of());
                LiveInput input = LiveInput.open("probe", live, lanes.placement())) {
            input.start(true, terminal);
            PlacedLanes placed = new PlacedLanes(lanes.placement(), "probe", options.lanes());
            AnalysisResult result = Analysis.watch(
                    input.source(), keys == null ? options : keys.in(options), new Watcher(placed, probe), probe);
            probe.finish(result, Times.epochNs());
            return input.reportFaults(result.defect(), 0, terminal);
        }
    }

    /** Nobody looks at the calls of a probe: looking lets go of those that are over. */
    private record Watcher(PlacedLanes lanes, Probe probe) implements CallWatcher {
        @Override
        public long nowNs() {
            return Times.epochNs();
        }

        @Override
        public void lane(int lane, boolean begins) {
            lanes.lane(lane, begins);
        }

        @Override
        public void waits(boolean begins) {
            PlacedLanes.waits(begins);
        }

        @Override
        public void look(AnalysisResult standing, List<CallReport> changed) {
            lanes.sample();
            probe.alive(nowNs());
        }
    }
}
