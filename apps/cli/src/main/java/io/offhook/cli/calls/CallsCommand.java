package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.input.HepInput;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.LaneOptions;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.input.LiveRecorder;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.sql.DatabaseOption;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.CallFields;
import io.offhook.report.StreamFields;
import io.offhook.report.fields.CsvColumns;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code offhook calls FILE...}, {@code offhook calls -i NAME}: lists the calls of a capture or on the wire. */
public final class CallsCommand implements Command {
    private final LiveRecorder recorder;

    /** @param recorder writes the packets of a live capture where that is asked for */
    public CallsCommand(LiveRecorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        InputOptions.describeFilter(spec);
        spec.addFlag("--bad", "Only calls whose service failed: bad or missing audio, failures, no response.");
        spec.addFlag("--all-problems", "Show notes too; with --bad and --fail-on bad, take any problem for bad.");
        spec.addFlag(
                "--failed", "Only calls that were not answered, for whatever reason: busy, declined, cancelled too.");
        FailOn.describe(spec);
        InputOptions.describeMedia(spec);
        InputOptions.describeJoins(spec);
        AudioKeysOption.describe(spec);
        KeyOptions.describe(spec);
        KeyOptions.describeMedia(spec);
        CallFilter.describe(spec);
        CallRanking.describe(spec);
        OutputOptions.describe(spec);
        InputOptions.describeHeuristic(spec);
        InputOptions.describeLanes(spec);
        LiveOptions.describeInsteadOfFiles(spec);
        HepInput.describeInsteadOfFiles(spec);
        HepOutput.describe(spec);
        LaneOptions.describe(spec);
        recorder.describe(spec);
        LiveCalls.describe(spec);
        DatabaseOption.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        CallFilter filter = CallFilter.of(arguments);
        FailOn failOn = FailOn.of(arguments);
        boolean onlyBad = arguments.hasMatchedOption("--bad");
        boolean allProblems = arguments.hasMatchedOption("--all-problems");
        boolean onlyFailed = arguments.hasMatchedOption("--failed");
        CallRanking ranking = CallRanking.of(arguments);
        Predicate<CallReport> wanted = call -> filter.matches(call)
                && ranking.matches(call)
                && (!onlyBad || isBad(call, allProblems))
                && (!onlyFailed || CallSelection.isFailed(call));
        if (!LiveOptions.isGiven(arguments) && arguments.hasMatchedOption("--write")) {
            throw new MisuseException(
                    "-w needs -i or --hep, live capture; call ID -w writes the packets of a call, convert and split"
                            + " those of files");
        }
        if (LiveOptions.isGiven(arguments)) {
            DatabaseOption.refuseLive(arguments);
            AudioKeysOption.refuseLive(arguments);
            filter.beginningAt(Times.epochNs());
            return live(arguments, output, wanted, ranking, failOn, terminal);
        }
        AudioKeysOption.refuseTable(arguments, output);
        boolean listens = AudioKeysOption.isReadAgain(arguments, output);
        try (RereadableFiles files = RereadableFiles.of(
                                InputOptions.files(arguments, 0), InputOptions.filter(arguments), terminal, listens)
                        .decrypted(arguments);
                OpenCapture input = files.open(terminal);
                HepOutput agent = HepOutput.of(arguments, false)) {
            AnalysisResult result = analyse(arguments, input, agent, terminal);
            filter.beginningAt(result.capture().firstNs());
            List<CallReport> calls = wanted(result, wanted);
            CallRanking ranked = ranking.until(result.capture().lastNs());
            List<CallReport> listed = ranked.of(calls);
            List<StreamReport> streams = new ArrayList<>();
            for (StreamReport stream : result.streams()) {
                if (filter.matches(stream, null) && ranking.matches(stream)) {
                    streams.add(stream);
                }
            }
            if (listens) {
                AnalysisResult printed =
                        new AnalysisResult(result.capture(), listed, streams, result.registrations(), result.defect());
                AnalysisResult heard = AudioKeysOption.read(arguments, printed, files, terminal);
                listed = heard.calls();
                streams = heard.streams();
            }
            switch (output.format()) {
                case TABLE -> {
                    if (!input.isUnreadable()) {
                        new CallsTable(result, output.times(), ranked, allProblems)
                                .print(listed, streams, terminal, terminal.isColored(output.color()));
                    }
                }
                case JSON -> json(listed, streams, result.capture(), input, terminal);
                case CSV -> csv(listed, terminal);
            }
            terminal.flush();
            return input.reportFaults(failOn.code(calls, terminal));
        }
    }

    private static AnalysisResult analyse(
            ParseResult arguments, OpenCapture input, @Nullable HepOutput agent, Terminal terminal) throws IOException {
        if (agent == null) {
            return DatabaseOption.analyse(arguments, input);
        }
        if (arguments.hasMatchedOption("--db")) {
            throw new MisuseException("--db and --hep-out cannot be combined; run the command once for each");
        }
        AnalysisResult result = input.analyse(InputOptions.analysis(arguments), agent.export()::beside);
        agent.finish(result.calls(), terminal);
        return result;
    }

    private static boolean isBad(CallReport call, boolean allProblems) {
        return allProblems ? !call.problems().isEmpty() : call.isBad();
    }

    private static List<CallReport> wanted(AnalysisResult result, Predicate<CallReport> wanted) {
        List<CallReport> calls = new ArrayList<>();
        for (CallReport call : result.calls()) {
            if (wanted.test(call)) {
                calls.add(call);
            }
        }
        return calls;
    }

    private int live(
            ParseResult arguments,
            OutputOptions output,
            Predicate<CallReport> wanted,
            CallRanking ranking,
            FailOn failOn,
            Terminal terminal)
            throws IOException {
        LaneOptions lanes = LaneOptions.of(arguments);
        AnalysisOptions analysis = LiveCalls.analysis(arguments);
        LiveOptions options = LiveOptions.of(arguments);
        LiveRecorder.Recording recording = recorder.of(arguments, output, terminal);
        if (options.isRehearsed()) {
            LiveCalls.rehearse(options, analysis);
        }
        try (KeyOptions keys = KeyOptions.of(arguments, List.of());
                HepOutput agent = HepOutput.of(arguments, true);
                LiveInput input = LiveInput.open("calls", options, lanes.placement())) {
            if (recording != null) {
                recording.start(input, options, terminal);
            }
            boolean isPainted = output.format() == Format.TABLE && terminal.isTerminal();
            input.start(!isPainted, terminal);
            AnalysisOptions decrypted = keys == null ? analysis : keys.in(analysis);
            AnalysisResult result = LiveCalls.watch(
                    input, decrypted, output, new LiveCalls.Shown(wanted, agent), lanes.placement(), terminal);
            if (agent != null) {
                agent.finish(result.calls(), terminal);
            }
            if (recording != null) {
                recording.finish(terminal);
            }
            List<CallReport> calls = wanted(result, wanted);
            CallRanking ranked = ranking.until(result.capture().lastNs());
            String counts =
                    LiveHeading.last(input.source().counts(), result.capture().counters()) + '\n';
            switch (output.format()) {
                case TABLE -> {
                    new CallsTable(result, output.times(), ranked, arguments.hasMatchedOption("--all-problems"))
                            .print(ranked.of(calls), result.streams(), terminal, terminal.isColored(output.color()));
                    terminal.out().append(counts);
                    LaneOptions.text(lanes.reported(), terminal.out());
                }
                case JSON -> new LiveCallsJson(terminal, input.source()).capture(result.capture(), lanes.reported());
                case CSV -> {
                    csv(ranked.of(calls), terminal);
                    terminal.err().append(counts);
                }
            }
            terminal.flush();
            return input.reportFaults(result.defect(), failOn.code(calls, terminal), terminal);
        }
    }

    private static void json(
            List<CallReport> calls,
            List<StreamReport> streams,
            CaptureReport capture,
            OpenCapture input,
            Terminal terminal)
            throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("capture");
            CaptureFields.write(json, capture, input);
            json.end().line().array("calls");
            for (CallReport call : calls) {
                json.line().object();
                CallFields.writeJson(json, call);
                json.end();
            }
            json.line().end().array("streams");
            for (StreamReport stream : streams) {
                json.line().object();
                StreamFields.writeJson(json, stream);
                json.end();
            }
            json.line().end().end();
        }
    }

    private static void csv(List<CallReport> calls, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(CsvColumns.CALL);
        for (CallReport call : calls) {
            CallFields.writeCsv(csv, call);
            csv.endRecord();
        }
    }
}
