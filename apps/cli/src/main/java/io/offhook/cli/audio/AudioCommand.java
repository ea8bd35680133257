package io.offhook.cli.audio;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.audio.AudioMark;
import io.offhook.audio.AudioOptions;
import io.offhook.audio.AudioReport;
import io.offhook.audio.CallAudio;
import io.offhook.audio.HeardStream;
import io.offhook.audio.WavWriter;
import io.offhook.calls.StreamReport;
import io.offhook.cli.calls.CallFilter;
import io.offhook.cli.calls.OpenedAudio;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.extract.PacketTarget;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.ladder.CallCommand;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.packet.SafeText;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code offhook audio ID FILE... --allow-audio -o call.wav}: what the far ends of a call heard, one channel a side. */
public final class AudioCommand implements Command {
    private static final String ALLOW = "--allow-audio";
    private static final String OUTPUT = "--output";
    private static final String RANGE = "--range";
    private static final double MS_PER_S = 1000;
    private static final double MOST_SECONDS = 1e9;

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter("ID", "The Call-ID or a unique part of it, or the number in the table of offhook calls.");
        InputOptions.describeFiles(spec, 1);
        InputOptions.describeFilter(spec);
        spec.addFlag(
                ALLOW,
                "Required: confirms that you may listen to this call. In many places that needs the consent of its parties.");
        spec.addOption(
                "-o",
                OUTPUT,
                "FILE",
                String.class,
                "The WAV file to write: PCM of 16 bits, channel 1 the caller, channel 2 the callee.");
        spec.addOption(
                RANGE,
                "FROM-UNTIL",
                String.class,
                "Only this part, in seconds from the first packet with audio: 10-25.5, or 10- for all behind it.");
        InputOptions.describeMedia(spec);
        KeyOptions.describe(spec);
        KeyOptions.describeMedia(spec);
        InputOptions.describeJoins(spec);
        CallFilter.describe(spec);
        OutputOptions.describe(spec);
        InputOptions.describeLanes(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        if (!arguments.hasMatchedOption(ALLOW)) {
            throw new MisuseException("audio needs " + ALLOW + ": what people say to each other is protected by law in"
                    + " most places; give it if you may listen to this call");
        }
        String id = arguments.parameter(0);
        Path target = target(arguments);
        AudioOptions range = range(arguments.optionValue(RANGE, String.class));
        AnalysisOptions options = InputOptions.analysis(arguments);
        CallFilter filter = CallFilter.of(arguments);
        try (RereadableFiles files = RereadableFiles.of(
                        InputOptions.files(arguments, 1), InputOptions.filter(arguments), terminal, true)
                .decrypted(arguments)) {
            check(target, files.paths(), terminal);
            CallCommand.Found found = CallCommand.find(id, filter, files, options, terminal);
            if (found == null) {
                return ExitCode.UNREADABLE;
            }
            if (found.call().streams().stream().noneMatch(StreamReport::isEncrypted)) {
                return write(arguments, found, range, target, files, terminal);
            }
            try (OpenedAudio opened = OpenedAudio.of(files, terminal)) {
                int code = write(arguments, found, range.withOpeners(opened::opener), target, files, terminal);
                opened.report(terminal);
                return checked(opened, code, target, terminal);
            }
        }
    }

    /** Wrong keys end with an error; if they open nothing at all, no file of silence is left that would pass for the call. */
    private static int checked(OpenedAudio opened, int code, Path target, Terminal terminal) throws IOException {
        if (!opened.isKeyWrong()) {
            return code;
        }
        if (!opened.isAnyOpened() && Files.deleteIfExists(target)) {
            terminal.error(target + " was deleted again: there was nothing to hear in it");
        }
        return code == ExitCode.DONE ? ExitCode.UNREADABLE : code;
    }

    private static Path target(ParseResult arguments) {
        String name = arguments.optionValue(OUTPUT, String.class);
        if (name == null) {
            throw new MisuseException("audio needs " + OUTPUT + " FILE, the WAV file to write");
        }
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new MisuseException(OUTPUT + " " + name + " is not a valid path: " + e.getReason());
        }
    }

    private static void check(Path target, List<String> inputs, Terminal terminal) throws IOException {
        for (String input : inputs) {
            if (Files.exists(target) && Files.exists(Path.of(input)) && Files.isSameFile(target, Path.of(input))) {
                throw new MisuseException(OUTPUT + " " + target + " is also read; name another file");
            }
        }
        if (Files.isDirectory(target)) {
            throw new MisuseException(OUTPUT + " " + target + " is a directory; name a file in it");
        }
        PacketTarget.of(target, terminal).check(List.of());
    }

    /** Reads {@code 10-25.5} or {@code 10-}, in seconds. */
    static AudioOptions range(@Nullable String text) {
        if (text == null) {
            return AudioOptions.DEFAULT;
        }
        if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,3})?-([0-9]{1,9}(\\.[0-9]{1,3})?)?")) {
            throw new MisuseException(RANGE + " " + text + " is no range in seconds, such as 10-25.5 or 10-");
        }
        int dash = text.indexOf('-');
        double from = Double.parseDouble(text.substring(0, dash));
        double until = dash == text.length() - 1 ? MOST_SECONDS : Double.parseDouble(text.substring(dash + 1));
        if (until <= from) {
            throw new MisuseException(RANGE + " " + text + " is empty: it ends before it begins");
        }
        return AudioOptions.DEFAULT.withRange(Math.round(from * MS_PER_S), Math.round(until * MS_PER_S));
    }

    private static int write(
            ParseResult arguments,
            CallCommand.Found found,
            AudioOptions range,
            Path target,
            RereadableFiles files,
            Terminal terminal)
            throws IOException {
        CallAudio audio = CallAudio.of(found.call(), range);
        if (!audio.isAudible()) {
            OpenCapture.report(found.faults(), files.defect(), ExitCode.DONE, terminal);
            throw nothing(audio, found);
        }
        if (audio.frames() == 0) {
            throw new MisuseException(
                    RANGE + " begins behind the end of the audio, which takes " + audio.lengthMs() / MS_PER_S + " s");
        }
        OutputOptions output = OutputOptions.of(arguments);
        try (OpenCapture input = files.open(terminal)) {
            AudioReport report = play(audio, target, input);
            AudioResult result = new AudioResult(found, audio, report, target.toString());
            switch (output.format()) {
                case TABLE -> AudioText.print(result, terminal);
                case JSON -> json(result, input, terminal);
                case CSV -> csv(result, terminal);
            }
            terminal.flush();
            return input.reportFaults(ExitCode.DONE);
        }
    }

    private static AudioReport play(CallAudio audio, Path target, OpenCapture input) throws IOException {
        try (Progress _ = input.progress();
                WavWriter wav = WavWriter.create(target, audio.rate(), audio.frames())) {
            AudioReport report = audio.play(input.source(), wav);
            input.failed(report.defect());
            return report;
        } catch (IOException e) {
            Files.deleteIfExists(target); // half of a call would pass for all of it
            throw new IOException(target + ": " + e.getMessage(), e);
        }
    }

    private static MisuseException nothing(CallAudio audio, CallCommand.Found found) {
        Set<String> reasons = new TreeSet<>();
        for (HeardStream heard : audio.streams()) {
            reasons.addAll(heard.notes());
        }
        return new MisuseException("call " + SafeText.safe(found.call().callId()) + " has no audio that can be played: "
                + (reasons.isEmpty() ? "it has no audio streams" : SafeText.safe(String.join("; ", reasons)))
                + "; nothing was written");
    }

    private static void json(AudioResult result, OpenCapture input, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("capture");
            CaptureFields.write(json, result.found().capture(), input);
            json.end().line().object("audio");
            AudioFields.write(json, result);
            json.end().end();
        }
    }

    private static void csv(AudioResult result, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(AudioFields.COLUMNS);
        for (AudioMark mark : result.report().marks()) {
            AudioFields.mark(csv, mark);
            csv.endRecord();
        }
    }
}
