package io.offhook.cli.messages;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.registration.Registration;
import io.offhook.cli.calls.CallFilter;
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
import io.offhook.packet.FrameBatch;
import io.offhook.report.fields.JsonFields;
import io.offhook.sip.SipMultipart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code offhook messages FILE...}: lists SIP messages as they are found. */
public final class MessagesCommand implements Command {

    @Override
    public void describe(CommandSpec spec) {
        InputOptions.describeFiles(spec, 0);
        InputOptions.describeFilter(spec);
        spec.addFlag("-v", "--verbose", "Also print the whole message; in JSON and CSV, as a field.");
        MessagesFilter.describe(spec);
        CallFilter.describe(spec);
        KeyOptions.describe(spec);
        OutputOptions.describe(spec);
        InputOptions.describeLanes(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        AnalysisOptions options = InputOptions.analysis(arguments);
        CallFilter filter = CallFilter.of(arguments);
        boolean isVerbose = arguments.hasMatchedOption("--verbose");
        List<String> named = InputOptions.files(arguments, 0);
        try (RereadableFiles files = RereadableFiles.of(
                        named, InputOptions.filter(arguments), terminal, !filter.isOpen())
                .decrypted(arguments)) {
            MessagesFilter wanted = new MessagesFilter(arguments, filter, prepare(files, filter, options, terminal));
            try (OpenCapture input = files.open(terminal)) {
                switch (output.format()) {
                    case TABLE -> read(input, options, wanted, new MessagesOutput.Lines(terminal, output, isVerbose));
                    case CSV -> read(input, options, wanted, new MessagesOutput.Csv(terminal, isVerbose));
                    case JSON -> json(input, options, wanted, isVerbose, terminal);
                }
                terminal.flush();
                return input.reportFaults(ExitCode.DONE);
            }
        }
    }

    /** Reads what the filter needs before the first message: the start of the capture, and the calls if it needs them whole. */
    private static MessagesFilter.@Nullable Wanted prepare(
            RereadableFiles files, CallFilter filter, AnalysisOptions options, Terminal terminal) {
        if (filter.isOpen()) {
            return null;
        }
        try (OpenCapture input = files.open(terminal)) {
            if (!filter.asksForReports()) {
                FrameBatch first = new FrameBatch(1);
                filter.beginningAt(input.source().next(first) ? first.timestampNs(0) : 0);
                return null;
            }
            AnalysisResult result = input.analyse(options);
            filter.beginningAt(result.capture().firstNs());
            Set<String> callIds = new HashSet<>();
            Set<Long> cutFrames = new HashSet<>();
            for (CallReport call : result.calls()) {
                if (filter.matchesReport(call)) {
                    call.dialogs().stream()
                            .filter(dialog -> !dialog.isCallIdPartial())
                            .forEach(dialog -> callIds.add(dialog.callId()));
                    cutFrames.addAll(call.cutFrames());
                }
            }
            for (Registration registration : result.registrations()) {
                if (filter.matchesReport(registration)) {
                    callIds.add(registration.callId());
                }
            }
            return new MessagesFilter.Wanted(callIds, cutFrames);
        }
    }

    private static AnalysisResult read(
            OpenCapture input, AnalysisOptions options, MessagesFilter wanted, MessagesOutput output) {
        SipMultipart part = new SipMultipart();
        return input.analyse(options.withListener((message, packet, copy) -> {
            if (wanted.matches(message, packet)) {
                try {
                    output.print(KeptMessage.of(message, packet, copy, part));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }));
    }

    private static void json(
            OpenCapture input, AnalysisOptions options, MessagesFilter wanted, boolean isVerbose, Terminal terminal)
            throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().array("messages");
            AnalysisResult result = read(input, options, wanted, new MessagesOutput.Json(json, isVerbose));
            json.line().end().line().object("capture");
            CaptureFields.write(json, result.capture(), input);
            json.end().end();
        }
    }
}
