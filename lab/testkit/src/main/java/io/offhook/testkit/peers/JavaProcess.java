package io.offhook.testkit.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A Java process with the same class path, for code that must not share a JVM, or needs options of its own. */
public final class JavaProcess {
    private JavaProcess() {}

    /**
     * The words that start a main method with this JVM's Java and class path.
     *
     * @param options of the JVM
     * @param main has the method
     */
    public static List<String> command(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * Runs a main method to its end; its standard error is ours.
     *
     * @param options of the JVM
     * @param main has the method
     * @return the lines that it printed
     * @throws IllegalStateException when it did not end with 0
     */
    public static List<String> run(List<String> options, Class<?> main, String... arguments) {
        String what = main.getSimpleName() + " " + String.join(" ", arguments);
        try {
            Process process = new ProcessBuilder(command(options, main, arguments))
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
