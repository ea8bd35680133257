package io.offhook.pcap.file;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Wireshark's command-line programs, where they are installed. */
final class WiresharkTools {
    private WiresharkTools() {}

    /**
     * What a program ended with and printed.
     *
     * @param code what it ended with
     * @param out standard output
     * @param err standard error, without its remark on being root
     */
    record Output(int code, String out, String err) {}

    /** Skips the test where a program is not installed. */
    static void assume(String program) {
        boolean isThere = false;
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            isThere |= !folder.isEmpty() && Files.isExecutable(Path.of(folder, program));
        }
        assumeTrue(isThere, program + " is not installed");
    }

    static Output run(Path folder, List<String> command) {
        try {
            Path out = Files.createTempFile(folder, "out", ".txt");
            Path err = Files.createTempFile(folder, "err", ".txt");
            Process process = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(300, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command.getFirst() + " does not end");
            }
            String text = new String(Files.readAllBytes(out), StandardCharsets.ISO_8859_1);
            String errors = new String(Files.readAllBytes(err), StandardCharsets.ISO_8859_1);
            return new Output(process.exitValue(), text, errors.replaceAll("Running as user \"root\"[^\n]*\n", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
