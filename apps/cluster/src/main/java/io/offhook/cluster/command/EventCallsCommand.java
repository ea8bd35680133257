package io.offhook.cluster.command;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.calls.CallReports;
import io.offhook.calls.StreamReport;
import io.offhook.cli.calls.CallsTable;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cluster.calls.CaptureEvents;
import io.offhook.cluster.calls.EventCalls;
import io.offhook.cluster.codec.EventStatus;
import io.offhook.cluster.event.Fault;
import io.offhook.cluster.operator.local.LocalRun;
import io.offhook.report.CallFields;
import io.offhook.report.StreamFields;
import io.offhook.report.fields.CsvColumns;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code offhook cluster calls FILE...}: the calls that events amount to. */
final class EventCallsCommand implements Command {
    private static final String OPERATORS = "--operators";
    private static final int MOST_INSTANCES = 64;

    @Override
    public void describe(CommandSpec spec) {
        ClusterCommand.describeFiles(spec);
        InputOptions.describeMedia(spec);
        InputOptions.describeJoins(spec);
        InputOptions.describeHeuristic(spec);
        spec.addOption(
                OPERATORS,
                "NUMBER",
                Integer.class,
                "Make the calls by so many instances of each operator, as a job does. Legs are not joined, and media is bound by its"
                        + " SDP alone.");
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        AnalysisOptions options = InputOptions.analysis(arguments);
        if (arguments.hasMatchedOption(OPERATORS)) {
            return operators(arguments, options, terminal);
        }
        EventCalls calls = new EventCalls();
        OpenEvents files = new OpenEvents(terminal);
        files.read(ClusterCommand.files(arguments), calls::read);
        CallReports reports = calls.reports(options);
        switch (output.format()) {
            case TABLE ->
                CallsTable.print(result(calls, reports), output.times(), terminal, terminal.isColored(output.color()));
            case JSON -> json(calls, reports, terminal);
            case CSV -> csv(reports.calls(), terminal);
        }
        terminal.flush();
        return files.code();
    }

    private static void csv(List<CallReport> calls, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(CsvColumns.CALL);
        for (CallReport call : calls) {
            CallFields.writeCsv(csv, call);
            csv.endRecord();
        }
    }

    /** The calls as the operators make them. */
    private static int operators(ParseResult arguments, AnalysisOptions options, Terminal terminal) throws IOException {
        int instances = arguments.matchedOptionValue(OPERATORS, 1);
        if (instances < 1 || instances > MOST_INSTANCES) {
            throw new MisuseException(OPERATORS + " " + instances + " is not 1 to " + MOST_INSTANCES);
        }
        OutputOptions output = OutputOptions.of(arguments);
        OperatorCalls calls = new OperatorCalls();
        OpenEvents files = new OpenEvents(terminal);
        files.read(ClusterCommand.files(arguments), calls::read);
        LocalRun run = calls.run(options, instances);
        List<CallReport> made = OperatorCalls.calls(run);
        switch (output.format()) {
            case TABLE ->
                CallsTable.print(
                        new AnalysisResult(calls.capture(made), made, List.of(), List.of(), null),
                        output.times(),
                        terminal,
                        terminal.isColored(output.color()));
            case JSON -> {
                try (JsonFields json = terminal.json()) {
                    calls.json(json, run);
                }
            }
            case CSV -> csv(made, terminal);
        }
        terminal.flush();
        return files.code();
    }

    private static AnalysisResult result(EventCalls calls, CallReports reports) {
        Counted counted =
                new Counted(reports.sipRequests(), reports.sipResponses(), reports.callIds(), reports.rtpPackets());
        return new AnalysisResult(
                report(calls.capture(), counted),
                reports.calls(),
                reports.streams(),
                reports.registrations(),
                reports.defect());
    }

    /** What was counted of all calls. */
    record Counted(long sipRequests, long sipResponses, long callIds, long rtpPackets) {}

    static CaptureReport report(CaptureEvents capture, Counted counted) {
        List<CaptureReport.Counter> counters = new ArrayList<>();
        capture.dropped().forEach((cause, count) -> {
            if (count > 0) {
                counters.add(new CaptureReport.Counter(cause, count, 0, 0, 0, 0));
            }
        });
        return new CaptureReport(
                capture.frames(),
                0,
                capture.firstNs(),
                capture.endNs(),
                List.of(),
                counted.sipRequests(),
                counted.sipResponses(),
                counted.callIds(),
                counted.rtpPackets(),
                0,
                0,
                counters,
                List.of(),
                List.of());
    }

    private static void json(EventCalls calls, CallReports reports, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("events");
            events(json, calls);
            json.end().line().array("calls");
            for (CallReport call : reports.calls()) {
                json.line().object();
                CallFields.writeJson(json, call);
                json.end();
            }
            json.line().end().array("streams");
            for (StreamReport stream : reports.streams()) {
                json.line().object();
                StreamFields.writeJson(json, stream);
                json.end();
            }
            json.line().end().end();
        }
    }

    private static void events(JsonFields json, EventCalls calls) {
        CaptureEvents capture = calls.capture();
        long read = 0;
        long skipped = 0;
        for (EventStatus status : EventStatus.values()) {
            read += status.isEvent() ? calls.count(status) : 0;
            skipped += status.isEvent() ? 0 : calls.count(status);
        }
        json.field("read", read)
                .field("repeated", calls.repeated())
                .field("missing", calls.missing())
                .field("skipped", skipped)
                .field("unknown", calls.count(EventStatus.UNKNOWN_BODY))
                .field("incompleteStreams", calls.incomplete())
                .field("packets", capture.frames());
        if (capture.frames() == 0) {
            json.nullField("firstAt").nullField("lastAt");
        } else {
            json.time("firstAt", capture.firstNs()).time("lastAt", capture.endNs());
        }
        json.object("counters");
        capture.dropped().forEach(json::field);
        json.end().array("faults");
        for (Fault fault : capture.faults()) {
            json.object()
                    .field("what", fault.what())
                    .field("where", fault.where())
                    .end();
        }
        json.end();
    }
}
