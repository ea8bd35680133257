package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.Problem;
import io.offhook.calls.ProblemLimits;
import io.offhook.calls.StreamReport;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.CallFields;
import io.offhook.report.StreamFields;
import io.offhook.report.fields.CsvColumns;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.WiresharkStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code offhook streams FILE...}: lists all RTP streams, whether or not they belong to a call. */
public final class StreamsCommand implements Command {

    /**
     * A stream and the call it belongs to.
     *
     * @param call the first call if several share the stream; null if it belongs to none
     * @param problems of the stream
     */
    record Line(StreamReport stream, @Nullable CallReport call, List<Problem> problems) {
        @Nullable
        String callId() {
            return stream.callId();
        }
    }

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        InputOptions.describeFilter(spec);
        spec.addFlag(
                "--wireshark", "Print the figures of Wireshark and tshark, computed as they do, instead of our own.");
        spec.addFlag("--rtp-heuristic", "No effect: RTP that no SDP announced is always listed.");
        InputOptions.describeMedia(spec);
        AudioKeysOption.describe(spec);
        KeyOptions.describe(spec);
        KeyOptions.describeMedia(spec);
        CallFilter.describe(spec);
        OutputOptions.describe(spec);
        InputOptions.describeLanes(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        CallFilter filter = CallFilter.of(arguments);
        boolean listens = AudioKeysOption.isGiven(arguments) || KeyOptions.isAnyGiven(arguments);
        try (RereadableFiles files = RereadableFiles.of(
                                InputOptions.files(arguments, 0), InputOptions.filter(arguments), terminal, listens)
                        .decrypted(arguments);
                OpenCapture input = files.open(terminal)) {
            AnalysisOptions options = InputOptions.analysis(arguments).withRtpHeuristic(true);
            AnalysisResult result = input.analyse(options);
            filter.beginningAt(result.capture().firstNs());
            List<Line> lines = lines(result, filter, options.limits());
            if (listens) {
                AnalysisResult heard = AudioKeysOption.read(arguments, selected(result, filter), files, terminal);
                lines = lines(heard, filter, options.limits());
            }
            switch (output.format()) {
                case TABLE -> {
                    if (!input.isUnreadable()) {
                        new StreamsTable(result, output.times())
                                .print(lines, terminal, terminal.isColored(output.color()));
                    }
                }
                case JSON -> json(lines, result, input, terminal);
                case CSV -> csv(lines, arguments.hasMatchedOption("--wireshark"), terminal);
            }
            terminal.flush();
            return input.reportFaults(ExitCode.DONE);
        }
    }

    /** What has the streams that the filter selects. */
    private static AnalysisResult selected(AnalysisResult result, CallFilter filter) {
        List<CallReport> calls = new ArrayList<>();
        for (CallReport call : result.calls()) {
            if (call.streams().stream().anyMatch(stream -> filter.matches(stream, call))) {
                calls.add(call);
            }
        }
        List<StreamReport> streams = result.streams().stream()
                .filter(stream -> filter.matches(stream, null))
                .toList();
        return new AnalysisResult(result.capture(), calls, streams, result.registrations(), result.defect());
    }

    /** Each stream once, in the order of first packets. */
    private static List<Line> lines(AnalysisResult result, CallFilter filter, ProblemLimits limits) {
        List<Line> lines = new ArrayList<>();
        Set<RtpStream> seen = new HashSet<>();
        for (CallReport call : result.calls()) {
            for (StreamReport stream : call.streams()) {
                if (filter.matches(stream, call) && seen.add(stream.statistics())) {
                    lines.add(new Line(stream, call, stream.problems(limits)));
                }
            }
        }
        for (StreamReport stream : result.streams()) {
            if (filter.matches(stream, null)) {
                lines.add(new Line(stream, null, stream.problems(limits)));
            }
        }
        lines.sort((a, b) -> Long.compare(a.stream().firstFrame(), b.stream().firstFrame()));
        return lines;
    }

    private static void json(List<Line> lines, AnalysisResult result, OpenCapture input, Terminal terminal)
            throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("capture");
            CaptureFields.write(json, result.capture(), input);
            json.end().line().array("streams");
            for (Line line : lines) {
                json.line().object();
                write(json, line);
                if (line.stream().wireshark() == null) {
                    problems(json, line);
                }
                StreamFields.writeIntervals(json, line.stream());
                json.end();
            }
            json.line().end().end();
        }
    }

    private static void problems(JsonFields json, Line line) {
        json.array("problems");
        for (Problem problem : line.problems()) {
            json.object();
            CallFields.problem(json, problem, line.stream().statistics().firstNs());
            json.end();
        }
        json.end();
    }

    private static void csv(List<Line> lines, boolean wireshark, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(wireshark ? CsvColumns.WIRESHARK_STREAM : CsvColumns.STREAM);
        for (Line line : lines) {
            write(csv, line);
            if (!wireshark) {
                csv.array("problems");
                StreamsTable.problems(line, true).forEach(csv::element);
                csv.end();
            }
            csv.endRecord();
        }
    }

    private static void write(FieldWriter out, Line line) {
        out.field("callId", line.callId());
        WiresharkStream wireshark = line.stream().wireshark();
        if (wireshark == null) {
            StreamFields.write(out, line.stream());
        } else {
            StreamFields.writeWireshark(out, line.stream(), wireshark);
        }
    }
}
