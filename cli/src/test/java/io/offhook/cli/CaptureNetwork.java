package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Stream;

/**
 * Two network namespaces joined by a veth pair, and processes in them: {@code offhook} and others in that of the right end, a
 * {@link FrameSender} in that of the left. All of it is gone once it is closed. Needs root and {@code ip}.
 */
final class CaptureNetwork implements AutoCloseable {
    static final String LEFT = "left";
    static final String RIGHT = "right";

    private static final long PATIENCE_S = 60;

    private final String leftSpace;
    private final String rightSpace;
    private final List<Process> processes = new ArrayList<>();

    /** Whether there can be one here; the condition of tests that need one. */
    static boolean isPossible() {
        boolean hasIp =
                Stream.of("/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip").anyMatch(ip -> Files.isExecutable(Path.of(ip)));
        return hasIp && System.getProperty("user.name").equals("root");
    }

    CaptureNetwork() throws IOException, InterruptedException {
        String unique = ProcessHandle.current().pid() + "-" + Integer.toHexString(System.identityHashCode(this));
        leftSpace = "offhook-cl-" + unique;
        rightSpace = "offhook-cr-" + unique;
        run("ip", "netns", "add", leftSpace);
        run("ip", "netns", "add", rightSpace);
        for (String space : List.of(leftSpace, rightSpace)) {
            // no router solicitations among the packets of the test
            run("ip", "netns", "exec", space, "sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6");
        }
        run("ip", "-n", leftSpace, "link", "add", LEFT, "type", "veth", "peer", "name", RIGHT, "netns", rightSpace);
        run("ip", "-n", leftSpace, "link", "set", LEFT, "up");
        run("ip", "-n", rightSpace, "link", "set", RIGHT, "up");
        run("ip", "-n", rightSpace, "link", "set", "lo", "up");
    }

    /** A process of the test and what it says. */
    static final class Running {
        private final Process process;
        private final CompletableFuture<byte[]> out;
        private final LinkedBlockingQueue<String> errorLines = new LinkedBlockingQueue<>();
        private final Queue<String> err = new ConcurrentLinkedQueue<>();
        private final Thread reader;

        private Running(Process process, boolean isOutRead) {
            this.process = process;
            out = isOutRead
                    ? CompletableFuture.supplyAsync(() -> read(process.getInputStream()))
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

        Process process() {
            return process;
        }

        /** Waits until a line of standard error has a text. */
        Running awaitError(String text) throws InterruptedException {
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
        Running signal(String name) throws IOException, InterruptedException {
            run("kill", "-" + name, Long.toString(process.pid()));
            return this;
        }

        /** Waits until it has taken a SIGINT: a second one is the kernel's to handle. */
        Running awaitInterrupted() throws IOException {
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
        int code() throws InterruptedException {
            assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS))
                    .as(err.toString())
                    .isTrue();
            reader.join();
            return process.exitValue();
        }

        String err() throws InterruptedException {
            code();
            return said();
        }

        byte[] outBytes() throws InterruptedException {
            code();
            return out.join();
        }

        String out() throws InterruptedException {
            return new String(outBytes(), StandardCharsets.UTF_8);
        }
    }

    /** {@code offhook} in the namespace of the right end. */
    Running offhook(String... args) throws IOException {
        return offhook(List.of(), true, args);
    }

    /**
     * As {@link #offhook(String...)}.
     *
     * @param before what the command is begun with
     * @param isOutRead whether its standard output is read
     */
    Running offhook(List<String> before, boolean isOutRead, String... args) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(java("io.offhook.cli.Main"));
        command.addAll(List.of(args));
        return start(rightSpace, isOutRead, command);
    }

    /** {@code offhook} in the namespace of the left end. */
    Running offhookLeft(String... args) throws IOException {
        List<String> command = new ArrayList<>(java("io.offhook.cli.Main"));
        command.addAll(List.of(args));
        return start(leftSpace, true, command);
    }

    /** Another program in the namespace of the right end. */
    Running right(String... command) throws IOException {
        return start(rightSpace, true, List.of(command));
    }

    /** Another program in the namespace of the left end. */
    Running left(String... command) throws IOException {
        return start(leftSpace, true, List.of(command));
    }

    /** {@code ip ...} in the namespace of the right end. */
    void ip(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("ip", "-n", rightSpace));
        all.addAll(List.of(arguments));
        run(all.toArray(String[]::new));
    }

    /** {@code ip ...} in the namespace of the left end. */
    void leftIp(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("ip", "-n", leftSpace));
        all.addAll(List.of(arguments));
        run(all.toArray(String[]::new));
    }

    /** What sends the frames of a file from the left end, again and again. */
    Sender sender(Path file) throws IOException {
        List<String> command = new ArrayList<>(java(FrameSender.class.getName()));
        command.add(LEFT);
        command.add(file.toString());
        Sender sender = new Sender(start(leftSpace, false, command));
        sender.await("ready");
        return sender;
    }

    /** A {@link FrameSender}. */
    static final class Sender {
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
        void send() throws IOException {
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

    private Running start(String space, boolean isOutRead, List<String> command) throws IOException {
        // signals as from a terminal: what runs the tests may ignore some, and its children with it
        List<String> all =
                new ArrayList<>(List.of("ip", "netns", "exec", space, "env", "--default-signal=HUP,INT,TERM"));
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all);
        builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment().put("OFFHOOK_TTY", "");
        Process process = builder.start();
        processes.add(process);
        return new Running(process, isOutRead);
    }

    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(String.join(" ", command) + ": " + said)
                .isZero();
    }

    @Override
    public void close() throws IOException {
        try {
            for (Process process : processes) {
                process.destroyForcibly();
                process.waitFor();
            }
            run("ip", "netns", "del", leftSpace);
            run("ip", "netns", "del", rightSpace);
        } catch (InterruptedException e) {
            throw new IOException("interrupted, and namespaces stay", e);
        }
    }
}
