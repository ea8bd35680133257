package io.offhook.cli.flows;

import io.offhook.analysis.FrameLoop;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.extract.FrameSelection;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.flow.table.CommunityId;
import io.offhook.flow.table.Flow;
import io.offhook.flow.table.FlowLimits;
import io.offhook.packet.Endpoint;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code offhook flows FILE...}: lists the flows with their endpoints, volume and TCP state. */
public final class FlowsCommand implements Command {
    private static final int BATCH_FRAMES = 4096;
    private static final int TABLE_FLOWS = 1 << 18;
    private static final long MAX_SECONDS = 1_000_000_000;

    /** The order of {@code --sort}; flows that compare equal are ordered by their first packet. */
    enum Order {
        BYTES,
        PACKETS,
        DURATION,
        FIRST;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        Comparator<Flow> comparator() {
            return (a, b) -> {
                int order = switch (this) {
                    case BYTES -> Long.compare(b.bytes(), a.bytes());
                    case PACKETS -> Long.compare(b.packets(), a.packets());
                    case DURATION -> Long.compare(b.latestNs() - b.earliestNs(), a.latestNs() - a.earliestNs());
                    case FIRST -> 0;
                };
                return order != 0 ? order : Long.compare(a.firstFrameNumber(), b.firstFrameNumber());
            };
        }
    }

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        InputOptions.describeFilter(spec);
        spec.addOption(
                "--sort",
                "ORDER",
                Order.class,
                "bytes (default), packets or duration, in descending order; or first: by first packet.");
        spec.addOption(
                "--idle-timeout",
                "SECONDS",
                Long.class,
                "A flow ends after this long without a packet (default: never).");
        spec.addOption(
                "--hard-timeout", "SECONDS", Long.class, "Split a flow that lasts longer into parts (default: never).");
        spec.addOption("--community-id-seed", "N", Integer.class, "Seed of the Community IDs, 0 (default) to 65535.");
        CallFilter.describe(spec);
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        CallFilter filter = CallFilter.of(arguments);
        FlowLimits limits =
                new FlowLimits(TABLE_FLOWS, nanos(arguments, "--idle-timeout"), nanos(arguments, "--hard-timeout"));
        int seed = seed(arguments);
        Order order = arguments.matchedOptionValue("--sort", Order.BYTES);
        List<String> named = InputOptions.files(arguments, 0);
        try (RereadableFiles files =
                RereadableFiles.of(named, InputOptions.filter(arguments), terminal, filter.asksForCalls())) {
            FrameSelection selection = FrameSelection.of(files, filter, InputOptions.analysis(arguments), terminal);
            try (OpenCapture input = files.open(terminal)) {
                FlowsReport report = new FlowsReport(limits);
                try (Progress _ = input.progress()) {
                    read(input, selection, report);
                }
                print(report.lines(order.comparator()), output, seed, report, input, terminal);
                terminal.flush();
                return input.reportFaults(ExitCode.DONE);
            }
        }
    }

    private static void print(
            List<FlowsReport.Line> lines,
            OutputOptions output,
            int seed,
            FlowsReport report,
            OpenCapture input,
            Terminal terminal)
            throws IOException {
        switch (output.format()) {
            case TABLE -> {
                if (!input.isUnreadable()) {
                    new FlowsTable(report, output.times()).print(lines, terminal, terminal.isColored(output.color()));
                }
            }
            case JSON -> json(lines, seed, report, input, terminal);
            case CSV -> csv(lines, seed, terminal);
        }
    }

    private static long nanos(ParseResult arguments, String option) {
        Long seconds = arguments.optionValue(option, Long.class);
        if (seconds == null) {
            return Long.MAX_VALUE;
        }
        if (seconds < 1 || seconds > MAX_SECONDS) {
            throw new MisuseException(option + " " + seconds + " is outside 1 to " + MAX_SECONDS);
        }
        return seconds * 1_000_000_000L;
    }

    private static int seed(ParseResult arguments) {
        int seed = arguments.matchedOptionValue("--community-id-seed", 0);
        if (seed < 0 || seed > 0xffff) {
            throw new MisuseException("--community-id-seed " + seed + " is outside 0 to 65535");
        }
        return seed;
    }

    private static void read(OpenCapture input, FrameSelection selection, FlowsReport report) {
        FrameLoop loop = new FrameLoop(input.source(), BATCH_FRAMES);
        loop.run(frame -> {
            PacketWalker layers = frame.layers();
            if (selection.includes(frame.number(), frame.timestampNs(), layers)) {
                report.add(layers, layers.stop(), frame.batch(), frame.index());
            }
        });
        input.failed(loop.defect());
        report.end();
    }

    private static void json(
            List<FlowsReport.Line> lines, int seed, FlowsReport report, OpenCapture input, Terminal terminal)
            throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("capture");
            report.write(json, input);
            json.end().line().array("flows");
            for (FlowsReport.Line line : lines) {
                json.line().object();
                FlowFields.write(json, line, CommunityId.of(line.flow().key(), seed));
                json.end();
            }
            json.line().end().end();
        }
    }

    private static void csv(List<FlowsReport.Line> lines, int seed, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(FlowFields.COLUMNS);
        for (FlowsReport.Line line : lines) {
            FlowFields.write(csv, line, CommunityId.of(line.flow().key(), seed));
            csv.endRecord();
        }
    }

    /** "192.0.2.1:5060", or only the address if the protocol has no ports. */
    static @Nullable String endText(Flow flow, Endpoint end) {
        boolean hasPorts = flow.key().hasPorts() && !FlowFields.isIcmp(flow.key());
        return hasPorts ? end.toString() : end.addressText();
    }
}
