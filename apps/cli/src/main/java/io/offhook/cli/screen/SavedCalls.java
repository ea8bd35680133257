package io.offhook.cli.screen;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.cli.extract.CallExtract;
import io.offhook.cli.extract.PacketTarget;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.ladder.CallCommand;
import io.offhook.cli.messages.CallMessages;
import io.offhook.cli.reproduce.CallScenario;
import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.CaptureFault;
import io.offhook.report.text.Words;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads single calls again from the files that they are in, and writes them to others: packets, or scenarios of sipp. */
final class SavedCalls {
    /** How the name of a folder ends that scenarios are written to. */
    private static final String SCENARIO = ".sipp";

    private final RereadableFiles files;
    private final AnalysisOptions options;

    SavedCalls(RereadableFiles files, AnalysisOptions options) {
        this.files = files;
        this.options = options;
    }

    /** A terminal that shows nothing. */
    static Terminal quiet(OutputStream errors) {
        return new Terminal(
                OutputStream.nullOutputStream(),
                errors,
                InputStream.nullInputStream(),
                Map.of(),
                StandardCharsets.UTF_8,
                "");
    }

    /** Whether a scenario is asked for, by the name of a file. */
    static boolean isScenario(Path file) {
        return file.toString().endsWith(SCENARIO);
    }

    /** Reads the messages of calls. */
    CallMessages messages(List<CallReport> calls) {
        CallMessages messages = new CallMessages();
        try (OpenCapture input = files.open(quiet(OutputStream.nullOutputStream()))) {
            messages.read(input, options, calls);
        }
        return messages;
    }

    /** Writes the packets of calls; returns what was written, as a sentence. */
    String packets(List<CallReport> calls, Path file) throws IOException {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        Terminal quiet = quiet(errors);
        PacketTarget target = PacketTarget.of(file, quiet);
        target.check(files.paths());
        long packets = CallExtract.write(files, calls, target, quiet);
        String said = errors.toString(StandardCharsets.UTF_8).strip();
        return Words.count(packets, "packet") + " of " + Words.count(calls.size(), "call") + " written to " + file
                + (said.isEmpty() ? "" : "; " + said);
    }

    /**
     * Writes scenarios: of one call into the folder, of several into folders of it that have their places as names.
     *
     * @param capture that the calls were found in
     * @param faults of its files
     * @return what was written, as a sentence
     */
    String scenarios(List<CallReport> calls, Path folder, CaptureReport capture, List<CaptureFault> faults)
            throws IOException {
        for (int i = 0; i < calls.size(); i++) {
            CallReport call = calls.get(i);
            CallScenario.write(
                    new CallCommand.Found(call, capture, faults),
                    messages(List.of(call)),
                    files,
                    options,
                    calls.size() == 1 ? folder : folder.resolve(Integer.toString(i + 1)),
                    quiet(OutputStream.nullOutputStream()));
        }
        return Words.count(calls.size(), "sipp scenario") + " written to " + folder;
    }
}
