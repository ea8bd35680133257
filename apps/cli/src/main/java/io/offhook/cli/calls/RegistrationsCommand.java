package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.Problem;
import io.offhook.calls.ProblemClass;
import io.offhook.calls.RegistrationProblems;
import io.offhook.calls.registration.Registration;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.input.CaptureSummary;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.DayLines;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.CallFields;
import io.offhook.report.ProblemText;
import io.offhook.report.RegistrationOutcome;
import io.offhook.report.fields.CsvColumns;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** {@code offhook registrations FILE...}: lists registrations and their results. */
public final class RegistrationsCommand implements Command {

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        InputOptions.describeFilter(spec);
        CallFilter.describeRegistrations(spec, RegistrationOutcome.labels());
        KeyOptions.describe(spec);
        OutputOptions.describe(spec);
        InputOptions.describeLanes(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        CallFilter filter = CallFilter.of(arguments, RegistrationOutcome.labels());
        try (RereadableFiles files = RereadableFiles.of(
                                InputOptions.files(arguments, 0), InputOptions.filter(arguments), terminal, false)
                        .decrypted(arguments);
                OpenCapture input = files.open(terminal)) {
            AnalysisResult result = input.analyse(InputOptions.analysis(arguments));
            filter.beginningAt(result.capture().firstNs());
            List<Registration> registrations = new ArrayList<>();
            for (Registration registration : result.registrations()) {
                if (filter.matches(
                        registration,
                        RegistrationOutcome.of(registration, result.capture().lastNs())
                                .label())) {
                    registrations.add(registration);
                }
            }
            switch (output.format()) {
                case TABLE -> {
                    if (!input.isUnreadable()) {
                        table(registrations, result, output, terminal);
                    }
                }
                case JSON -> json(registrations, result, input, terminal);
                case CSV -> csv(registrations, result.capture().lastNs(), terminal);
            }
            terminal.flush();
            return input.reportFaults(ExitCode.DONE);
        }
    }

    private static void json(
            List<Registration> registrations, AnalysisResult result, OpenCapture input, Terminal terminal)
            throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("capture");
            CaptureFields.write(json, result.capture(), input);
            json.end().line().array("registrations");
            for (Registration registration : registrations) {
                json.line().object();
                write(json, registration, result.capture().lastNs());
                problems(json, registration, result.capture().lastNs());
                json.end();
            }
            json.line().end().end();
        }
    }

    private static void csv(List<Registration> registrations, long captureEndNs, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(CsvColumns.REGISTRATION);
        for (Registration registration : registrations) {
            write(csv, registration, captureEndNs);
            csv.array("problems");
            texts(registration, captureEndNs, true).forEach(csv::element);
            csv.end();
            csv.endRecord();
        }
    }

    private static void write(FieldWriter out, Registration registration, long captureEndNs) {
        out.field("callId", registration.callId())
                .field("addressOfRecord", registration.addressOfRecord())
                .field("user", registration.user())
                .field("contact", registration.contact())
                .field("userAgent", registration.userAgent())
                .field("client", registration.client().toString())
                .field("registrar", registration.registrar().toString())
                .field(
                        "outcome",
                        RegistrationOutcome.of(registration, captureEndNs).label());
        if (registration.finalStatus() == 0) {
            out.nullField("finalStatus");
        } else {
            out.field("finalStatus", registration.finalStatus());
        }
        out.field("challenged", registration.challenged());
        if (registration.expiresSeconds() < 0) {
            out.nullField("expiresSeconds");
        } else {
            out.field("expiresSeconds", registration.expiresSeconds());
        }
        out.field("requests", registration.requests())
                .time("firstAt", registration.firstNs())
                .time("lastAt", registration.lastNs())
                .field("firstFrame", registration.firstFrame());
    }

    private static void problems(FieldWriter out, Registration registration, long captureEndNs) {
        out.array("problems");
        for (Problem problem : RegistrationProblems.of(registration, captureEndNs)) {
            out.object();
            CallFields.problem(out, problem, registration.firstNs());
            out.end();
        }
        out.end();
    }

    /** @param all whether to include notes */
    private static List<String> texts(Registration registration, long captureEndNs, boolean all) {
        List<String> texts = new ArrayList<>(1);
        for (Problem problem : RegistrationProblems.of(registration, captureEndNs)) {
            if (all || problem.problemClass() != ProblemClass.NOTE) {
                texts.add(ProblemText.of(problem, registration.firstNs()));
            }
        }
        return texts;
    }

    private static Style style(RegistrationOutcome outcome) {
        return switch (outcome) {
            case REGISTERED -> Style.GOOD;
            case REMOVED -> Style.NOTE;
            case CHALLENGED -> Style.WARNING;
            case REJECTED, UNANSWERED, EXPIRED -> Style.BAD;
        };
    }

    private static void table(
            List<Registration> registrations, AnalysisResult result, OutputOptions output, Terminal terminal)
            throws IOException {
        Writer out = terminal.out();
        if (!registrations.isEmpty()) {
            Table table = new Table(List.of(
                    Table.Column.time("Time", 59),
                    Table.Column.key("Address of record", 24),
                    Table.Column.text("Result", 85, 12),
                    Table.Column.number("Status", 58),
                    Table.Column.number("Expires", 50),
                    Table.Column.wholeText("Problem", 57, 12),
                    Table.Column.number("Requests", 20),
                    Table.Column.text("Client", 80, 15),
                    Table.Column.text("Registrar", 55, 15),
                    Table.Column.text("Contact", 40, 16),
                    Table.Column.text("User agent", 30, 10)));
            DayLines days = new DayLines(output.times(), table);
            for (Registration registration : registrations) {
                days.at(registration.firstNs());
                add(table, registration, result.capture().lastNs(), output.times());
            }
            table.print(terminal, terminal.isColored(output.color()));
            out.append('\n');
        }
        int all = result.registrations().size();
        String shown = registrations.size() == all ? "" : Decimals.grouped(registrations.size()) + " of ";
        out.append(shown + Words.count(all, "registration") + ".\n" + CaptureSummary.line(result.capture()) + "\n");
        CaptureSummary.counters(result.capture(), terminal);
    }

    private static void add(Table table, Registration registration, long captureEndNs, Times times) {
        RegistrationOutcome outcome = RegistrationOutcome.of(registration, captureEndNs);
        table.row()
                .cell(times.timeOfDay(registration.firstNs()))
                .cell(registration.addressOfRecord())
                .cell(outcome.label(), style(outcome))
                .cell(registration.finalStatus() == 0 ? "" : Integer.toString(registration.finalStatus()))
                .cell(registration.expiresSeconds() < 0 ? "" : registration.expiresSeconds() + " s")
                .cell(String.join("; ", texts(registration, captureEndNs, false)), Style.BAD)
                .cell(Integer.toString(registration.requests()))
                .cell(registration.client().toString())
                .cell(registration.registrar().toString())
                .cell(registration.contact())
                .cell(registration.userAgent());
    }
}
