package io.offhook.testkit.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A program of the system: a compiler, {@code ip}, {@code tcpdump}. */
public final class Program {
    /** What {@link #firstLine} returns where there is no such program. */
    public static final String MISSING = "missing";

    private static final int MOST_SECONDS = 10;

    private Program() {}

    /**
     * The first line that a program prints, on either stream.
     *
     * @return {@link #MISSING} where there is no such program; "unknown" where it prints nothing or does not end in 10 s
     */
    public static String firstLine(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String line;
            try (var reader = process.inputReader()) {
                line = reader.readLine();
                while (reader.readLine() != null) {
                    // all of its output, so that it can exit
                }
            }
            boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
            return ended && line != null ? line : "unknown";
        } catch (IOException _) {
            return MISSING;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    /** Whether the system has no such program: {@code isMissing("cc", "--version")}. */
    public static boolean isMissing(String... command) {
        return firstLine(command).equals(MISSING);
    }

    /**
     * Runs a program to its end.
     *
     * @return what it printed, on both streams
     * @throws IOException when it cannot be started, or ends with another code than 0; the message has what it printed
     */
    public static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException(String.join(" ", command) + " ended with " + code + ": " + printed.strip());
            }
            return printed;
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + String.join(" ", command) + " ran", e);
        }
    }
}
