package io.offhook.cli.reproduce;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.Problem;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.command.Amount;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.ladder.CallCommand;
import io.offhook.cli.messages.CallMessages;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code offhook reproduce CALL FILE... -o DIR}: makes a sipp scenario of a call, which plays it again. */
public final class ReproduceCommand implements Command {
    private static final String OUTPUT = "--output";
    private static final String LEG = "--leg";
    private static final String MAX_PAUSE = "--max-pause";
    private static final String TRANSPORT = "--transport";
    private static final String NO_MEDIA = "--no-media";
    private static final String CHECK = "--check";
    private static final String TOLERANCE = "--tolerance";
    private static final String MINIMIZE = "--minimize";
    private static final String RUNS = "--runs";
    private static final int DEFAULT_RUNS = 40;
    private static final int MOST_RUNS = 1000;

    /** The values of {@code --transport}. */
    public enum Transport {
        /** Datagrams. */
        UDP,
        /** A connection of the caller. */
        TCP
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter("ID", "The Call-ID or a unique part of it, or the number in the table of offhook calls.");
        InputOptions.describeFiles(spec, 1);
        InputOptions.describeFilter(spec);
        spec.addOption("-o", OUTPUT, "DIR", String.class, "The folder to write, which is made, or is empty. Required.");
        spec.addOption(
                LEG,
                "N",
                Integer.class,
                "The leg to play, of a call with several: its README.txt numbers them. Default: the first with an INVITE.");
        spec.addOption(
                MAX_PAUSE,
                "TIME",
                String.class,
                "Play pauses between messages no longer than this, without the media in the rest of them: seconds, or"
                        + " such as 90s, 10m. Default: as captured.");
        spec.addOption(
                TRANSPORT,
                "WHAT",
                Transport.class,
                "udp or tcp. Default: that of the call; tcp for TLS and WebSocket.");
        spec.addFlag(NO_MEDIA, "Play the messages only.");
        spec.addFlag(
                CHECK,
                "Play it here, on loopback, capture that, and hold it against the call: outcome, messages, times, streams."
                        + " Needs sipp and root. Exit code 1 if it is not the same.");
        spec.addOption(
                TOLERANCE,
                "TIME",
                String.class,
                "How much later or earlier than captured a message may be with " + CHECK + ": default 0.5 (seconds).");
        spec.addOption(
                MINIMIZE,
                "PROBLEM",
                String.class,
                "Remove messages, media and time while this problem stays when it is played, such as oneWayAudio:"
                        + " a kind of docs/OUTPUT.md. Needs sipp and root.");
        spec.addOption(
                RUNS,
                "N",
                Integer.class,
                "The most times that " + MINIMIZE + " plays it: 1 to " + MOST_RUNS + ", default " + DEFAULT_RUNS + ".");
        InputOptions.describeJoins(spec);
        KeyOptions.describe(spec);
        CallFilter.describe(spec);
        OutputOptions.describe(spec);
        InputOptions.describeLanes(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        Request request = request(arguments);
        AnalysisOptions options = InputOptions.analysis(arguments);
        CallFilter filter = CallFilter.of(arguments);
        try (RereadableFiles files = RereadableFiles.of(
                        InputOptions.files(arguments, 1), InputOptions.filter(arguments), terminal, true)
                .decrypted(arguments)) {
            CallCommand.Found found = CallCommand.find(arguments.parameter(0), filter, files, options, terminal);
            if (found == null) {
                return ExitCode.UNREADABLE;
            }
            CallMessages messages = new CallMessages();
            try (OpenCapture input = files.open(terminal)) {
                messages.read(input, options, List.of(found.call()));
            }
            List<CallLeg> legs = CallLeg.of(messages.kept());
            ReproducedCall call = ReproducedCall.of(found, legs, leg(legs, request.leg), request.transport);
            call = request.isWithMedia ? call.withMedia(files, terminal) : call;
            int code = new ReproduceRun(call, request.folder, options, request.longestPauseNs, request.isJson, terminal)
                    .run(request.isChecked ? request.toleranceNs : -1, request.problem, request.runs);
            terminal.flush();
            int read = OpenCapture.report(found.faults(), files.defect(), ExitCode.DONE, terminal);
            return read == ExitCode.DONE ? code : read;
        }
    }

    /** What the options say. */
    private record Request(
            Path folder,
            int leg,
            long longestPauseNs,
            @Nullable Transport transport,
            boolean isWithMedia,
            boolean isChecked,
            long toleranceNs,
            Problem.@Nullable Kind problem,
            int runs,
            boolean isJson) {}

    private static Request request(ParseResult arguments) throws IOException {
        String pause = arguments.optionValue(MAX_PAUSE, String.class);
        Integer leg = arguments.optionValue(LEG, Integer.class);
        int runs = arguments.matchedOptionValue(RUNS, DEFAULT_RUNS);
        if (runs < 1 || runs > MOST_RUNS) {
            throw new MisuseException(RUNS + " " + runs + " is outside 1 to " + MOST_RUNS);
        }
        return new Request(
                folder(arguments.optionValue(OUTPUT, String.class)),
                leg == null ? 0 : leg,
                pause == null ? Long.MAX_VALUE : Amount.seconds(MAX_PAUSE, pause),
                arguments.optionValue(TRANSPORT, Transport.class),
                !arguments.hasMatchedOption(NO_MEDIA),
                arguments.hasMatchedOption(CHECK),
                Amount.seconds(TOLERANCE, arguments.matchedOptionValue(TOLERANCE, "0.5")),
                kind(arguments.optionValue(MINIMIZE, String.class)),
                runs,
                isJson(arguments));
    }

    private static boolean isJson(ParseResult arguments) {
        return switch (OutputOptions.of(arguments).format()) {
            case TABLE -> false;
            case JSON -> true;
            case CSV -> throw new MisuseException("--format csv is not supported by reproduce; use table or json");
        };
    }

    private static Path folder(@Nullable String name) throws IOException {
        if (name == null) {
            throw new MisuseException("reproduce needs -o DIR, the folder to write");
        }
        Path folder;
        try {
            folder = Path.of(name);
        } catch (InvalidPathException e) {
            throw new MisuseException("-o " + name + " is not a valid path: " + e.getReason());
        }
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new MisuseException("-o " + name + " is a file; name a folder");
        }
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                if (files.findAny().isPresent()) {
                    throw new MisuseException("-o " + name + " is not empty; name another folder, or remove it");
                }
            }
        }
        return folder;
    }

    private static Problem.@Nullable Kind kind(@Nullable String label) {
        if (label == null) {
            return null;
        }
        for (Problem.Kind kind : Problem.Kind.values()) {
            if (kind.label().equals(label) && !kind.isOfRegistration()) {
                return kind;
            }
        }
        throw new MisuseException(MINIMIZE + " " + label + " is no kind of problem of a call; there are "
                + Arrays.stream(Problem.Kind.values())
                        .filter(kind -> !kind.isOfRegistration())
                        .map(Problem.Kind::label)
                        .collect(Collectors.joining(", ")));
    }

    /** The index of the leg that is played. */
    static int leg(List<CallLeg> legs, int number) {
        if (legs.isEmpty()) {
            throw new MisuseException(
                    "the call cannot be played: no request of it was captured with From, To and CSeq");
        }
        if (number < 0 || number > legs.size()) {
            throw new MisuseException(LEG + " " + number + ": the call has " + Words.count(legs.size(), "leg") + ": "
                    + legs.stream().map(leg -> Text.printable(leg.summary())).collect(Collectors.joining("; ")));
        }
        if (number > 0) {
            return number - 1;
        }
        for (int i = 0; i < legs.size(); i++) {
            if (legs.get(i).hasInvite()) {
                return i;
            }
        }
        return 0;
    }
}
