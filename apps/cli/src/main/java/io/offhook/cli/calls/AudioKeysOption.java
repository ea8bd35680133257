package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.audio.AudioListener;
import io.offhook.calls.StreamReport;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;

/** {@code --dtmf-audio}: listens to the streams, for which the files are read once more. */
public final class AudioKeysOption {
    private static final String NAME = "--dtmf-audio";

    private AudioKeysOption() {}

    /** Adds the option. */
    public static void describe(CommandSpec spec) {
        spec.addFlag(NAME, "Also find keys that are pressed in the audio (PCMU, PCMA); reads the files once more.");
    }

    /** Whether the option is given. */
    public static boolean isGiven(ParseResult arguments) {
        return arguments.hasMatchedOption(NAME);
    }

    /** Whether files have to be read again: for this option, or for what keys that were given open. */
    static boolean isReadAgain(ParseResult arguments, OutputOptions output) {
        return isGiven(arguments) || KeyOptions.isAnyGiven(arguments) && output.format() != Format.TABLE;
    }

    /**
     * The result with the key presses that a second reading finds: in audio with this option, and inside SRTP with keys that were
     * given.
     */
    public static AnalysisResult read(
            ParseResult arguments, AnalysisResult result, RereadableFiles files, Terminal terminal) {
        if (isGiven(arguments)) {
            return heard(result, files, terminal);
        }
        return files.keys() != null && OpenedAudio.hasClosedEvents(result)
                ? OpenedAudio.events(result, files, terminal)
                : result;
    }

    /** Refuses the option for a capture on the wire, which cannot be read again. */
    static void refuseLive(ParseResult arguments) {
        if (isGiven(arguments)) {
            throw new MisuseException(NAME + " cannot be combined with -i: packets on the wire cannot be read again;"
                    + " write them to a file with offhook capture");
        }
    }

    /** Refuses the option for a table of calls, which has no keys. */
    static void refuseTable(ParseResult arguments, OutputOptions output) {
        if (isGiven(arguments) && output.format() == Format.TABLE) {
            throw new MisuseException(NAME + " needs --format json or csv: the table of calls has no keys;"
                    + " offhook call ID " + NAME + " and offhook streams " + NAME + " print them");
        }
    }

    /**
     * The result with the keys in the audio of all its streams. Encrypted ones are opened with the keys that were given or
     * that SDP shows.
     */
    public static AnalysisResult heard(AnalysisResult result, RereadableFiles files, Terminal terminal) {
        if (isEncrypted(result)) {
            return OpenedAudio.heard(result, files, terminal);
        }
        try (OpenCapture input = files.open(terminal);
                Progress _ = input.progress()) {
            AudioListener listener = AudioListener.listen(result, input.source());
            input.failed(listener.defect());
            return listener.in(result);
        }
    }

    private static boolean isEncrypted(AnalysisResult result) {
        return result.streams().stream().anyMatch(StreamReport::isEncrypted)
                || result.calls().stream()
                        .anyMatch(call -> call.streams().stream().anyMatch(StreamReport::isEncrypted));
    }
}
