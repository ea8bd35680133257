package io.offhook.cli.stats;

import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.statistics.CallStatistics;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.util.List;

/** {@code offhook stats FILE...}: how many calls succeeded, how long they lasted, when and over what. */
public final class StatsCommand implements Command {

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        InputOptions.describeFilter(spec);
        CallFilter.describe(spec);
        OutputOptions.describe(spec);
        InputOptions.describeLanes(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        CallFilter filter = CallFilter.of(arguments);
        try (OpenCapture input =
                OpenCapture.open(InputOptions.files(arguments, 0), InputOptions.filter(arguments), terminal)) {
            AnalysisResult result = input.analyse(InputOptions.analysis(arguments));
            filter.beginningAt(result.capture().firstNs());
            List<CallReport> calls =
                    result.calls().stream().filter(filter::matches).toList();
            CallStatistics statistics = CallStatistics.of(calls);
            switch (output.format()) {
                case TABLE -> {
                    if (!input.isUnreadable()) {
                        new StatsText(statistics, result, output.times(), terminal, terminal.isColored(output.color()))
                                .print();
                    }
                }
                case JSON -> json(statistics, result, input, terminal);
                case CSV -> csv(statistics, result, terminal);
            }
            terminal.flush();
            return input.reportFaults(ExitCode.DONE);
        }
    }

    private static void json(CallStatistics statistics, AnalysisResult result, OpenCapture input, Terminal terminal)
            throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("capture");
            CaptureFields.write(json, result.capture(), input);
            json.end().line().object("statistics");
            StatsFields.write(json, statistics, result.capture());
            json.array("trunks");
            statistics.trunks().forEach(trunk -> {
                json.line().object();
                StatsFields.write(json, trunk);
                json.end();
            });
            json.line().end().end().end();
        }
    }

    /** The first line is about all calls, the others about one trunk each. */
    private static void csv(CallStatistics statistics, AnalysisResult result, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(StatsFields.COLUMNS);
        StatsFields.write(csv, statistics, result.capture());
        csv.endRecord();
        for (var trunk : statistics.trunks()) {
            StatsFields.write(csv, trunk);
            csv.endRecord();
        }
    }
}
