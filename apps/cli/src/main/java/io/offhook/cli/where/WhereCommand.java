package io.offhook.cli.where;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.Pipeline;
import io.offhook.calls.CallReport;
import io.offhook.calls.points.CapturePoint;
import io.offhook.calls.points.LostMessage;
import io.offhook.calls.points.PointAnalysis;
import io.offhook.calls.points.PointMessages;
import io.offhook.calls.points.PointsReport;
import io.offhook.calls.points.StreamWay;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.FrameFilter;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.file.CaptureFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code offhook where A B...}: where on their way between points of capture calls lost packets. */
public final class WhereCommand implements Command {
    /** One letter each. */
    private static final int MOST_POINTS = 26;

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameters(
                "FILE",
                "Captures of the same traffic, one a point, two or more: pcap, pcapng or snoop, plain or in gzip or zstd;"
                        + " patterns such as '*.pcap'; - for standard input. The first is A, the next one B.");
        spec.addFlag(
                "--same-clock",
                "All captures used one clock: delays are what the times say. By default, offsets and drifts are estimated.");
        InputOptions.describeFilter(spec);
        CallFilter.describe(spec);
        OutputOptions.describe(spec);
        InputOptions.describeLanes(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        CallFilter filter = CallFilter.of(arguments);
        FrameFilter frames = InputOptions.filter(arguments);
        AnalysisOptions options = InputOptions.analysis(arguments).withRtpHeuristic(true);
        List<String> paths = points(InputOptions.files(arguments, 0));
        List<RereadableFiles> captures = new ArrayList<>();
        try {
            for (String path : paths) {
                captures.add(RereadableFiles.of(List.of(path), frames, terminal, true));
            }
            WhereResult result =
                    compare(paths, captures, options, arguments.hasMatchedOption("--same-clock"), filter, terminal);
            switch (output.format()) {
                case TABLE -> {
                    if (result.files().stream().noneMatch(file -> file.input().isUnreadable())) {
                        new WhereText(result, output.times(), terminal, terminal.isColored(output.color())).print();
                    }
                }
                case JSON -> WhereFields.json(result, terminal);
                case CSV -> WhereFields.csv(result, terminal);
            }
            terminal.flush();
            return report(result, captures, terminal);
        } finally {
            for (RereadableFiles capture : captures) {
                capture.close();
            }
        }
    }

    private static List<String> points(List<String> files) {
        List<String> paths = CaptureFiles.expand(files);
        if (paths.size() < 2) {
            throw new MisuseException("one capture has nothing to be compared with; give one for each point:"
                    + " offhook where A.pcap B.pcap");
        }
        if (paths.size() > MOST_POINTS) {
            throw new MisuseException(paths.size() + " captures are more than " + MOST_POINTS
                    + " points; offhook merge makes one of several captures of a point");
        }
        if (paths.indexOf("-") != paths.lastIndexOf("-")) {
            throw new MisuseException("- can be one of the captures only: standard input is read once");
        }
        return paths;
    }

    private static WhereResult compare(
            List<String> paths,
            List<RereadableFiles> captures,
            AnalysisOptions options,
            boolean isSameClock,
            CallFilter filter,
            Terminal terminal) {
        List<PointFile> files = new ArrayList<>();
        List<CapturePoint> points = new ArrayList<>();
        for (int i = 0; i < captures.size(); i++) {
            PointMessages messages = new PointMessages();
            try (OpenCapture input = captures.get(i).open(terminal)) {
                AnalysisResult result = input.analyse(options.withListener(messages));
                captures.get(i).failed(result.defect());
                files.add(new PointFile(Character.toString('A' + i), paths.get(i), input, result));
                points.add(new CapturePoint(
                        result.capture().firstNs(),
                        result.capture().lastNs(),
                        result.calls(),
                        result.streams(),
                        messages));
            }
        }
        PointAnalysis analysis = new PointAnalysis(points, isSameClock);
        for (int i = 0; i < captures.size(); i++) {
            if (!analysis.media(i).isEmpty()) {
                collect(captures.get(i), analysis, i, options.lanes(), terminal);
            }
        }
        return selected(files, analysis.report(), filter);
    }

    private static void collect(
            RereadableFiles capture, PointAnalysis analysis, int point, int lanes, Terminal terminal) {
        try (OpenCapture input = capture.open(terminal);
                Progress _ = input.progress()) {
            capture.failed(Pipeline.of(lanes)
                    .traffic(analysis.media(point))
                    .run(input.source())
                    .defect());
        }
    }

    private static WhereResult selected(List<PointFile> files, PointsReport report, CallFilter filter) {
        filter.beginningAt(files.getFirst().result().capture().firstNs());
        List<StreamWay> streams = report.streams().stream()
                .filter(way -> way.stops().stream()
                        .anyMatch(stop -> filter.matches(stop.stream(), call(report, way.callNumber(), stop.call()))))
                .toList();
        List<LostMessage> messages = report.messages().stream()
                .filter(message -> message.callNumber() == 0
                        ? filter.isOpen()
                        : filter.matches(
                                report.calls().get(message.callNumber() - 1).report()))
                .toList();
        return new WhereResult(files, report, streams, messages);
    }

    private static @Nullable CallReport call(PointsReport report, int number, @Nullable CallReport own) {
        return own != null || number == 0 ? own : report.calls().get(number - 1).report();
    }

    private static int report(WhereResult result, List<RereadableFiles> captures, Terminal terminal) {
        List<CaptureFault> faults = new ArrayList<>();
        result.files().forEach(file -> faults.addAll(file.input().faults()));
        RuntimeException defect = null;
        for (RereadableFiles capture : captures) {
            defect = defect == null ? capture.defect() : defect;
        }
        return OpenCapture.report(faults, defect, ExitCode.DONE, terminal);
    }
}
