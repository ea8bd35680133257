package io.offhook.cli.screen;

import io.offhook.cli.calls.StreamLines;
import io.offhook.cli.ladder.CallLadder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Calls as a text file: header, ladder and streams of each. */
final class CallText {
    private static final int WIDTH = 120;

    private CallText() {}

    /** Whether a file is to have text, by its name. */
    static boolean isAskedFor(Path file) {
        return file.toString().endsWith(".txt");
    }

    /** Refuses a file that exists. */
    static void check(Path file) throws IOException {
        if (Files.exists(file)) {
            throw new IOException(file + " exists already; choose another name");
        }
    }

    /** Writes them, one call each, to a file that must not exist. */
    static void write(List<CallDetail> calls, View view, Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        for (CallDetail detail : calls) {
            detail.ladder()
                    .header(view.times(), WIDTH, false)
                    .forEach(line -> text.append(line).append('\n'));
            text.append('\n');
            for (CallLadder.Line line : detail.ladder().lines(view.times(), WIDTH, false, true)) {
                text.append(line.text()).append('\n');
            }
            text.append('\n');
            Captured.lines(
                            WIDTH,
                            true,
                            terminal ->
                                    StreamLines.print(detail.calls().getFirst().streams(), terminal, false))
                    .forEach(line -> text.append(line).append('\n'));
            text.append('\n');
        }
        Files.write(file, text.toString().getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE_NEW);
    }
}
