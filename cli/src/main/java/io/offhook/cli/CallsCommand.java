package io.offhook.cli;

import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code offhook calls FILE...}: the calls of a capture, a line each. */
final class CallsCommand implements Command {

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        InputOptions.describeFilter(spec);
        spec.addOption(OptionSpec.builder("--bad")
                .description("Only calls with a problem.")
                .build());
        FailOn.describe(spec);
        CallFilter.describe(spec);
        OutputOptions.describe(spec);
        InputOptions.describeHeuristic(spec);
        InputOptions.describeLanes(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        CallFilter filter = CallFilter.of(arguments);
        FailOn failOn = FailOn.of(arguments);
        boolean onlyBad = arguments.hasMatchedOption("--bad");
        try (CaptureInput input =
                CaptureInput.open(InputOptions.files(arguments, 0), InputOptions.filter(arguments), terminal)) {
            AnalysisResult result = input.analyse(InputOptions.analysis(arguments));
            filter.beginningAt(result.capture().firstNs());
            List<CallReport> calls = new ArrayList<>();
            for (CallReport call : result.calls()) {
                if (filter.matches(call) && !(onlyBad && call.problems().isEmpty())) {
                    calls.add(call);
                }
            }
            List<StreamReport> streams = new ArrayList<>();
            for (StreamReport stream : result.streams()) {
                if (filter.matches(stream, null)) {
                    streams.add(stream);
                }
            }
            switch (output.format()) {
                case TABLE -> {
                    if (!input.isUnreadable()) {
                        new CallsTable(result, output.times())
                                .print(calls, streams, terminal, terminal.isColored(output.color()));
                    }
                }
                case JSON -> json(calls, streams, result.capture(), input, terminal);
                case CSV -> csv(calls, terminal);
            }
            terminal.flush();
            return input.tellFaults(failOn.code(calls, terminal));
        }
    }

    private static void json(
            List<CallReport> calls,
            List<StreamReport> streams,
            CaptureReport capture,
            CaptureInput input,
            Terminal terminal)
            throws IOException {
        try (JsonFields json = JsonFields.of(terminal)) {
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
                StreamFields.write(json, stream);
                json.end();
            }
            json.line().end().end();
        }
    }

    private static void csv(List<CallReport> calls, Terminal terminal) throws IOException {
        CsvFields csv = CsvFields.of(terminal, CsvColumns.CALL);
        for (CallReport call : calls) {
            CallFields.writeCsv(csv, call);
            csv.endRecord();
        }
    }
}
