package io.offhook.monitor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A JVM that runs KnownThreads, whose threads know how long they were in each state. */
final class KnownJvm implements AutoCloseable {
    /** The JVM of the tests. */
    static final Path OWN = Path.of(System.getProperty("java.home"));

    /** Where a JVM of Java 17 may be. */
    static final Path JAVA_17 = Path.of("/usr/lib/jvm/java-17-openjdk-amd64");

    private final Process process;
    private final BufferedReader in;
    private final Writer out;

    /**
     * Starts it, and waits until its threads run.
     *
     * @param home of its JVM
     * @param options of the JVM
     * @param arguments of the program: {@code 0}, and then {@code gc} or {@code deadlock}
     */
    KnownJvm(Path home, List<String> options, String... arguments) throws IOException, URISyntaxException {
        this("/KnownThreads.java", home, options, arguments);
    }

    private KnownJvm(String program, Path home, List<String> options, String... arguments)
            throws IOException, URISyntaxException {
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin/java").toString());
        command.addAll(options);
        command.add(Path.of(Objects.requireNonNull(KnownJvm.class.getResource(program))
                        .toURI())
                .toString());
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        in = process.inputReader();
        out = process.outputWriter();
        String line = in.readLine();
        if (!"ready".equals(line)) {
            process.destroyForcibly();
            throw new IOException(command + " prints " + line);
        }
    }

    /** Starts another program, a resource that prints {@code ready}. */
    static KnownJvm of(Path home, String program) throws IOException, URISyntaxException {
        return of(home, List.of(), program);
    }

    /** As {@link #of(Path, String)}, with options of the JVM. */
    static KnownJvm of(Path home, List<String> options, String program) throws IOException, URISyntaxException {
        return new KnownJvm(program, home, options);
    }

    /** The JVMs of this machine that tests watch. */
    static List<Path> homes() {
        return Files.isDirectory(JAVA_17) ? List.of(OWN, JAVA_17) : List.of(OWN);
    }

    long pid() {
        return process.pid();
    }

    /** How long each thread was in each state until now, by its own clock. */
    Map<String, StateTimes> truth() throws IOException {
        out.write("\n");
        out.flush();
        Map<String, StateTimes> truth = new HashMap<>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            String[] words = line.split("\\|", -1);
            truth.put(
                    words[0],
                    new StateTimes(
                            Long.parseLong(words[1]),
                            Long.parseLong(words[2]),
                            Long.parseLong(words[3]),
                            Long.parseLong(words[4]),
                            Long.parseLong(words[5])));
        }
        return truth;
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        in.close();
    }
}
