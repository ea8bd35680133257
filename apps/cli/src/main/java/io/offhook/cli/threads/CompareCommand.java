package io.offhook.cli.threads;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.monitor.recording.RecordingSummary;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code offhook threads compare A B}: two recordings side by side. */
final class CompareCommand implements Command {
    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter("A", "A recording, such as last night's.");
        spec.addParameter("B", "The recording to compare it with.");
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        List<ComparedRecording> recordings = new ArrayList<>();
        List<RecordingSummary> summaries = new ArrayList<>();
        boolean isWhole = true;
        for (int i = 0; i < 2; i++) {
            ComparedRecording recording = new ComparedRecording(arguments.parameter(i));
            RecordingSummary summary = RecordingFile.read(recording.file(), recording, terminal);
            if (summary == null) {
                return ExitCode.UNREADABLE;
            }
            if (!summary.extent().isWhole()) {
                terminal.error(recording.file() + " is cut off or damaged; it was read as far as it is whole");
                isWhole = false;
            }
            recording.read(summary);
            recordings.add(recording);
            summaries.add(summary);
        }
        print(recordings, summaries, OutputOptions.of(arguments), terminal);
        terminal.flush();
        return isWhole ? ExitCode.DONE : ExitCode.UNREADABLE;
    }

    private static void print(
            List<ComparedRecording> recordings,
            List<RecordingSummary> summaries,
            OutputOptions output,
            Terminal terminal)
            throws IOException {
        List<ThreadComparison.Pair> pairs = ThreadComparison.of(recordings.getFirst(), recordings.getLast());
        if (output.format() == Format.JSON) {
            try (JsonFields json = terminal.json()) {
                ComparisonOutput.json(json, recordings, pairs);
            }
        } else if (output.format() == Format.CSV) {
            CsvFields csv = terminal.csv(ComparisonOutput.COLUMNS);
            for (ThreadComparison.Pair pair : pairs) {
                ComparisonOutput.fields(csv, pair);
                csv.endRecord();
            }
        } else {
            ComparisonOutput.table(
                    recordings, summaries, pairs, output.times(), terminal, terminal.isColored(output.color()));
        }
    }
}
