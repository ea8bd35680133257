package io.offhook.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A Java process of the same classes, for what must not share a JVM, or needs options of its own. */
public final class JavaProcess {
    /** For each JVM that measures: may call native code, read memory by Unsafe, and finds the peers. */
    static final List<String> OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-Doffhook.bench.native=" + NativeCode.FOLDER);

    private JavaProcess() {}

    /**
     * Runs a main method to its end; its standard error is ours.
     *
     * @param main has the method
     * @return the lines that it printed
     * @throws IllegalStateException when it did not end with 0
     */
    public static List<String> run(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(OPTIONS);
        command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        String what = main.getSimpleName() + " " + String.join(" ", arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            List<String> printed;
            try (BufferedReader lines = process.inputReader()) {
                printed = lines.lines().toList();
            }
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException("the process " + what + " ended with " + code);
            }
            return printed;
        } catch (IOException e) {
            throw new IllegalStateException("the process " + what + " could not be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + what + " ran", e);
        }
    }
}
