package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.network.Namespace;
import io.offhook.testkit.network.Network;
import io.offhook.testkit.peers.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A {@link Network#pair}, and processes in it: {@code offhook} and others in that of the right end, a
 * {@link FrameSender} in that of the left. All of it is gone once it is closed. Needs root and {@code ip}.
 */
public final class CaptureNetwork implements AutoCloseable {
    public static final String LEFT = Network.LEFT;
    public static final String RIGHT = Network.RIGHT;

    private static final long PATIENCE_S = 60;

    private final Network network;

    /** Whether there can be one here; the condition of tests that need one. */
    static boolean isPossible() {
        return Network.isPossible();
    }

    public CaptureNetwork() {
        try {
            network = Network.pair();
            network.right().ip("link", "set", "lo", "up");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A process of the test and what it says. */
    public static final class Running {
        private final Process process;
        private final CompletableFuture<byte[]> out;
        private final LinkedBlockingQueue<String> errorLines = new LinkedBlockingQueue<>();
        private final Queue<String> err = new ConcurrentLinkedQueue<>();
        private final Thread reader;

        private Running(Process process, boolean isOutRead) {
            this.process = process;
            out = isOutRead
                    // a thread of its own: the common pool may have one only, which waits for the first process to end
                    ? CompletableFuture.supplyAsync(
                            () -> read(process.getInputStream()),
                            task -> Thread.ofPlatform().daemon().start(task))
                    : CompletableFuture.completedFuture(new byte[0]);
            reader = Thread.ofPlatform().daemon().start(() -> {
                try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
                    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                        err.add(line);
                        errorLines.add(line);
                    }
                } catch (IOException e) {
                    err.add(e.toString());
                }
            });
        }

        private static byte[] read(InputStream in) {
            try {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        public Process process() {
            return process;
        }

        /** Waits until a line of standard error has a text. */
        public Running awaitError(String text) throws InterruptedException {
            String line = "";
            while (!line.contains(text)) {
                line = errorLines.poll(PATIENCE_S, TimeUnit.SECONDS);
                assertThat(line)
                        .as("a line with \"" + text + "\" after\n" + err)
                        .isNotNull();
            }
            return this;
        }

        /** Sends it a signal: {@code INT}. */
        public Running signal(String name) throws IOException {
            Program.run("kill", "-" + name, Long.toString(process.pid()));
            return this;
        }

        /** Waits until it has taken a SIGINT: a second one is the kernel's to handle. */
        public Running awaitInterrupted() throws IOException {
            Path status = Path.of("/proc/" + process.pid() + "/status");
            while ((Long.parseLong(caught(status), 16) & 2) != 0) {
                Thread.onSpinWait();
            }
            return this;
        }

        private static String caught(Path status) throws IOException {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("SigCgt:"))
                    .map(line -> line.substring("SigCgt:".length()).strip())
                    .findFirst()
                    .orElseThrow();
        }

        private String said() {
            return String.join("\n", err) + "\n";
        }

        /** What it ended with; a process killed by a signal with 128 and its number. */
        public int code() throws InterruptedException {
            assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS))
                    .as(err.toString())
                    .isTrue();
            reader.join();
            return process.exitValue();
        }

        public String err() throws InterruptedException {
            code();
            return said();
        }

        public byte[] outBytes() throws InterruptedException {
            code();
            return out.join();
        }

        public String out() throws InterruptedException {
            return new String(outBytes(), StandardCharsets.UTF_8);
        }
    }

    /** {@code offhook} in the namespace of the right end. */
    public Running offhook(String... args) throws IOException {
        return offhook(List.of(), true, args);
    }

    /**
     * As {@link #offhook(String...)}.
     *
     * @param before what the command is begun with
     * @param isOutRead whether its standard output is read
     */
    public Running offhook(List<String> before, boolean isOutRead, String... args) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(java("io.offhook.cli.Main"));
        command.addAll(List.of(args));
        return start(network.right(), isOutRead, command);
    }

    /** {@code offhook capture} in the namespace of the right end, once it captures. */
    public Running capture(String... args) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("capture"));
        all.addAll(List.of(args));
        return offhook(all.toArray(String[]::new)).awaitError("Ctrl-C ends it");
    }

    /** {@code offhook} in the namespace of the left end. */
    public Running offhookLeft(String... args) throws IOException {
        List<String> command = new ArrayList<>(java("io.offhook.cli.Main"));
        command.addAll(List.of(args));
        return start(network.left(), true, command);
    }

    /** Another program in the namespace of the right end. */
    public Running right(String... command) throws IOException {
        return start(network.right(), true, List.of(command));
    }

    /** Another program in the namespace of the left end. */
    public Running left(String... command) throws IOException {
        return start(network.left(), true, List.of(command));
    }

    /** A class of the tests as a process in the namespace of the right end. */
    public Running java(Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>(java(main.getName()));
        command.addAll(List.of(args));
        return start(network.right(), true, command);
    }

    /** As {@link #java(Class, String...)}, for who asks it by its standard input and reads its output line by line. */
    public Process talking(Class<?> main) throws IOException {
        return start(network.right(), false, java(main.getName())).process();
    }

    /** {@code ip ...} in the namespace of the right end. */
    public void ip(String... arguments) throws IOException {
        network.right().ip(arguments);
    }

    /** {@code ip ...} in the namespace of the left end. */
    public void leftIp(String... arguments) throws IOException {
        network.left().ip(arguments);
    }

    /** What sends the frames of a file from the left end, again and again. */
    public Sender sender(Path file) throws IOException {
        List<String> command = new ArrayList<>(java(FrameSender.class.getName()));
        command.add(LEFT);
        command.add(file.toString());
        Sender sender = new Sender(start(network.left(), false, command));
        sender.await("ready");
        return sender;
    }

    /** A {@link FrameSender}. */
    public static final class Sender {
        private final Running running;
        private final BufferedReader answers;

        private Sender(Running running) {
            this.running = running;
            answers = running.process().inputReader(StandardCharsets.UTF_8);
        }

        private void await(String answer) throws IOException {
            assertThat(answers.readLine()).isEqualTo(answer);
        }

        /** Sends all frames, once. */
        public void send() throws IOException {
            running.process().getOutputStream().write('\n');
            running.process().getOutputStream().flush();
            await("sent");
        }
    }

    private static List<String> java(String main) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main);
    }

    private Running start(Namespace space, boolean isOutRead, List<String> command) throws IOException {
        // signals as from a terminal: what runs the tests may ignore some, and its children with it
        List<String> all = space.command("env", "--default-signal=HUP,INT,TERM");
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all);
        builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment().put("OFFHOOK_TTY", "");
        return new Running(network.start(builder), isOutRead);
    }

    @Override
    public void close() throws IOException {
        network.close();
    }
}
