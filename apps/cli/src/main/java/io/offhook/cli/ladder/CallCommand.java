package io.offhook.cli.ladder;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.cli.calls.AudioKeysOption;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.calls.IntervalLines;
import io.offhook.cli.calls.StreamLines;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.extract.CallExtract;
import io.offhook.cli.extract.PacketTarget;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.messages.CallMessages;
import io.offhook.cli.messages.KeptMessage;
import io.offhook.cli.messages.MessagesOutput;
import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.CaptureFault;
import io.offhook.report.CallFields;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code offhook call ID FILE...}: shows one call as a ladder of its messages, with its media and their statistics. */
public final class CallCommand implements Command {
    private static final int MAX_CANDIDATES = 10;

    /**
     * A call and the capture in which it was found.
     *
     * @param call as reported
     * @param capture as a whole
     * @param faults of its files
     */
    public record Found(CallReport call, CaptureReport capture, List<CaptureFault> faults) {}

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter("ID", "The Call-ID or a unique part of it, or the number in the table of offhook calls.");
        InputOptions.describeFiles(spec, 1);
        InputOptions.describeFilter(spec);
        spec.addFlag("--sdp", "Print whole session descriptions below the arrows.");
        spec.addFlag("--messages", "Print whole messages below the arrows; in JSON and CSV, as a field.");
        spec.addOption(
                "-w",
                "--write",
                "FILE",
                String.class,
                "Also write the call's SIP, RTP and RTCP packets to a file: pcap if its name ends in .pcap, .cap or"
                        + " .dmp, else pcapng; with -, write only them, to standard output.");
        InputOptions.describeMedia(spec);
        InputOptions.describeJoins(spec);
        AudioKeysOption.describe(spec);
        KeyOptions.describe(spec);
        KeyOptions.describeMedia(spec);
        PacketTarget.describeSecrets(spec);
        CallFilter.describe(spec);
        OutputOptions.describe(spec);
        InputOptions.describeLanes(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        String id = arguments.parameter(0);
        AnalysisOptions options = InputOptions.analysis(arguments);
        CallFilter filter = CallFilter.of(arguments);
        PacketTarget target = PacketTarget.of(arguments, OutputOptions.of(arguments), terminal);
        try (RereadableFiles files = RereadableFiles.of(
                        InputOptions.files(arguments, 1), InputOptions.filter(arguments), terminal, true)
                .decrypted(arguments)) {
            if (target != null) {
                target.check(files.paths());
            }
            Found found = find(id, filter, files, options, terminal);
            if (found == null) {
                return ExitCode.UNREADABLE;
            }
            AnalysisResult alone =
                    new AnalysisResult(found.capture(), List.of(found.call()), List.of(), List.of(), null);
            CallReport heard = AudioKeysOption.read(arguments, alone, files, terminal)
                    .calls()
                    .getFirst();
            found = new Found(heard, found.capture(), found.faults());
            return print(arguments, found, files, target, terminal);
        }
    }

    /** Prints a call, writes its packets, or both. */
    static int print(
            ParseResult arguments, Found found, RereadableFiles files, @Nullable PacketTarget target, Terminal terminal)
            throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        if (target != null && target.isStandardOutput()) {
            CallExtract.write(files, found.call(), target, terminal);
            terminal.flush();
            return OpenCapture.report(found.faults(), files.defect(), ExitCode.DONE, terminal);
        }
        CallMessages messages = new CallMessages();
        int code;
        try (OpenCapture input = files.open(terminal)) {
            messages.read(input, InputOptions.analysis(arguments), List.of(found.call()));
            switch (output.format()) {
                case TABLE -> text(arguments, output, found.call(), messages, terminal);
                case JSON -> json(arguments, found, messages, input, terminal);
                case CSV -> csv(arguments, messages, terminal);
            }
            terminal.flush();
            code = input.reportFaults(ExitCode.DONE);
        }
        if (target != null) {
            long packets = CallExtract.write(files, found.call(), target, terminal);
            if (output.format() == Format.TABLE) {
                terminal.out().append("\n" + Words.count(packets, "packet") + " written to " + target + "\n");
            }
            if (code != ExitCode.INTERNAL) { // otherwise already reported
                terminal.flush();
                return OpenCapture.report(List.of(), files.defect(), code, terminal);
            }
        }
        return code;
    }

    /** The call; null if none was found because files could not be read, which is reported. */
    public static @Nullable Found find(
            String id, CallFilter filter, RereadableFiles files, AnalysisOptions options, Terminal terminal) {
        try (OpenCapture input = files.open(terminal)) {
            AnalysisResult result = input.analyse(options);
            filter.beginningAt(result.capture().firstNs());
            try {
                return new Found(find(id, result.calls(), filter::matches), result.capture(), input.faults());
            } catch (MisuseException e) {
                if (input.faults().isEmpty()) {
                    throw e;
                }
                terminal.error(String.valueOf(e.getMessage()));
                input.reportFaults(ExitCode.UNREADABLE);
                return null;
            }
        }
    }

    /**
     * The call with that Call-ID, else with that number, else the only one whose Call-ID begins with it or contains it.
     *
     * @param calls all calls of the capture, in the order in which {@code offhook calls} numbers them
     * @param isWanted whether the filters select a call; the result is a selected one
     */
    static CallReport find(String id, List<CallReport> calls, Predicate<CallReport> isWanted) {
        List<CallReport> wanted = calls.stream().filter(isWanted).toList();
        List<CallReport> alike = alike(wanted, callId -> callId.equals(id));
        CallReport numbered = alike.isEmpty() ? numbered(id, calls) : null;
        if (numbered != null) {
            if (!isWanted.test(numbered)) {
                throw new MisuseException("call " + id + " exists, but is excluded by the filters");
            }
            return numbered;
        }
        if (alike.isEmpty()) {
            alike = alike(wanted, callId -> callId.startsWith(id));
        }
        if (alike.isEmpty()) {
            alike = alike(wanted, callId -> callId.contains(id));
        }
        if (alike.isEmpty()) {
            throw new MisuseException("no call has a Call-ID with " + id + " in it, of "
                    + Words.count(wanted.size(), "call") + "; offhook calls lists them");
        }
        if (alike.size() > 1) {
            throw new MisuseException(Words.count(alike.size(), "call") + " have a Call-ID like " + id + ": "
                    + String.join(
                            ", ",
                            alike.stream()
                                    .limit(MAX_CANDIDATES)
                                    .map(CallReport::callId)
                                    .toList())
                    + (alike.size() > MAX_CANDIDATES ? "..." : "")
                    + "; use a longer part, the number in offhook calls, or a filter");
        }
        return alike.getFirst();
    }

    private static List<CallReport> alike(List<CallReport> calls, Predicate<String> callId) {
        return calls.stream()
                .filter(call -> call.dialogs().stream().anyMatch(dialog -> callId.test(dialog.callId())))
                .toList();
    }

    /**
     * The call with a number, given as 3, @3 or #3 (in a shell, the start of a comment). Null if {@code id} is not a number;
     * one that no call has is an error, even if a Call-ID has it in it.
     */
    private static @Nullable CallReport numbered(String id, List<CallReport> calls) {
        if (!id.matches("[#@]?[0-9]{1,9}")) {
            return null;
        }
        int number = Integer.parseInt(id.replaceFirst("^[#@]", ""));
        if (number >= 1 && number <= calls.size()) {
            return calls.get(number - 1);
        }
        throw new MisuseException("there is no call " + id + "; there are " + Words.count(calls.size(), "call")
                + "; a Call-ID of digits must be given whole");
    }

    private static void text(
            ParseResult arguments, OutputOptions output, CallReport call, CallMessages messages, Terminal terminal)
            throws IOException {
        boolean colored = terminal.isColored(output.color());
        int width = terminal.isTerminal() ? terminal.width() : Terminal.DEFAULT_WIDTH;
        LadderColumns columns = new LadderColumns(messages.kept());
        Ladder ladder = LadderBuilder.build(List.of(call), messages.kept(), columns, detail(arguments));
        LadderHeader.print(
                call, ladder.columns(), columns.userAgents(), output.times(), width, colored, terminal.out());
        terminal.out().append(LadderText.of(ladder, output.times(), width, colored, terminal.isUnicode()));
        if (messages.leftOut() > 0) {
            terminal.out().append(Words.count(messages.leftOut(), "more message") + " not shown\n");
        }
        if (!call.streams().isEmpty()) {
            terminal.out().append('\n');
        }
        StreamLines.print(call.streams(), terminal, colored);
        IntervalLines.print(call.streams(), call.times().startedNs(), terminal, colored);
    }

    private static LadderBuilder.Detail detail(ParseResult arguments) {
        if (arguments.hasMatchedOption("--messages")) {
            return LadderBuilder.Detail.MESSAGE;
        }
        return arguments.hasMatchedOption("--sdp") ? LadderBuilder.Detail.SDP : LadderBuilder.Detail.SUMMARY;
    }

    private static void json(
            ParseResult arguments, Found found, CallMessages messages, OpenCapture input, Terminal terminal)
            throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("capture");
            CaptureFields.write(json, found.capture(), input);
            json.end().line().object("call");
            CallFields.writeJson(json, found.call());
            json.end().line().array("messages");
            MessagesOutput out = new MessagesOutput.Json(json, arguments.hasMatchedOption("--messages"));
            for (KeptMessage message : messages.kept()) {
                out.print(message);
            }
            json.line().end().field("messagesLeftOut", messages.leftOut()).end();
        }
    }

    private static void csv(ParseResult arguments, CallMessages messages, Terminal terminal) throws IOException {
        MessagesOutput out = new MessagesOutput.Csv(terminal, arguments.hasMatchedOption("--messages"));
        for (KeptMessage message : messages.kept()) {
            out.print(message);
        }
    }
}
