package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.peers.LoopbackPorts;
import io.offhook.testkit.peers.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A sipp on 127.0.0.1, which makes or takes one call by a scenario. */
final class Sipp implements AutoCloseable {
    private static final int PATIENCE_S = 60;
    private static final Pattern ENTRY =
            Pattern.compile("UDP message (sent|received) [(\\[](\\d+)[)\\]]? ?bytes\\)? ?:\n\n");

    private final Process process;
    private final Path folder;
    private final int port;

    private Sipp(Path parent, String name, SippScenario scenario, String... words) throws IOException {
        folder = Files.createDirectories(parent.resolve(name));
        port = LoopbackPorts.free();
        Files.writeString(folder.resolve("scenario.xml"), scenario.xml());
        List<String> command = new ArrayList<>(List.of("sipp", "-sf", "scenario.xml", "-i", "127.0.0.1", "-p"));
        command.addAll(List.of(Integer.toString(port), "-m", "1", "-l", "1", "-nostdin", "-timeout"));
        command.addAll(List.of(PATIENCE_S + "s", "-timeout_error", "-trace_msg", "-message_file", "messages"));
        command.addAll(List.of("-trace_err", "-error_file", "errors"));
        if (scenario.isStrict()) {
            command.add("-nr");
        }
        command.addAll(List.of(words));
        process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("screen").toFile())
                .start();
        process.getOutputStream().close();
    }

    /** Whether it is not installed. */
    static boolean isMissing() {
        return Program.isMissing("sipp", "-v");
    }

    /** Starts a callee, and waits until it can be called. */
    static Sipp callee(Path folder, SippScenario scenario) throws Exception {
        return callee(folder, "callee", scenario);
    }

    /** As above, with a name of its own. */
    static Sipp callee(Path folder, String name, SippScenario scenario) throws Exception {
        Sipp sipp = new Sipp(folder, name, scenario);
        sipp.awaitPort();
        return sipp;
    }

    /** Starts a member of a group, which takes a number of calls, those of OPTIONS included, and waits until it can be asked. */
    static Sipp member(Path folder, String name, SippScenario scenario, int calls) throws Exception {
        Sipp sipp = new Sipp(folder, name, scenario, "-m", Integer.toString(calls), "-l", "100");
        sipp.awaitPort();
        return sipp;
    }

    /** Starts a caller that sends to the proxy, and calls a port of 127.0.0.1. */
    static Sipp caller(Path folder, SippScenario scenario, RunningProxy proxy, int calledPort) throws IOException {
        return caller(folder, "caller", scenario, proxy, calledPort);
    }

    /** As above, with a name of its own. */
    static Sipp caller(Path folder, String name, SippScenario scenario, RunningProxy proxy, int calledPort)
            throws IOException {
        return new Sipp(folder, name, scenario, "-rsa", "127.0.0.1:" + proxy.port(), "127.0.0.1:" + calledPort);
    }

    private void awaitPort() throws Exception {
        String wanted = String.format(Locale.ROOT, ":%04X ", port);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (Files.readAllLines(Path.of("/proc/net/udp")).stream().noneMatch(line -> line.contains(wanted))) {
            assertThat(process.isAlive() && System.nanoTime() - end < 0)
                    .as(() -> "sipp listens: " + said())
                    .isTrue();
            TimeUnit.MILLISECONDS.sleep(10); // it has just been started
        }
    }

    /** The port that it sends from and receives at. */
    int port() {
        return port;
    }

    /** The messages so far. */
    Messages messages() throws IOException {
        return new Messages(read(folder.resolve("messages")));
    }

    /** Waits until the scenario is over, which must have passed, and returns the messages. */
    Messages await() throws Exception {
        assertThat(process.waitFor(PATIENCE_S + 10, TimeUnit.SECONDS))
                .as("sipp ends")
                .isTrue();
        assertThat(process.exitValue())
                .as(() -> "the scenario passes: " + said())
                .isZero();
        return new Messages(read(folder.resolve("messages")));
    }

    /** What all programs of the test have logged: the cause is often on the other side. */
    private String said() {
        StringBuilder said = new StringBuilder(folder.getFileName().toString());
        try (Stream<Path> folders = Files.list(folder.resolveSibling("."))) {
            for (Path each : folders.sorted().toList()) {
                for (String name : List.of("errors", "messages")) {
                    said.append("\n===== ")
                            .append(each.getFileName())
                            .append(' ')
                            .append(name)
                            .append('\n');
                    said.append(read(each.resolve(name)));
                }
            }
        } catch (IOException e) {
            said.append(e);
        }
        return said.toString();
    }

    private static String read(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
    }

    /** The messages that a sipp sent and received, in their order. */
    static final class Messages {
        private final List<Message> all = new ArrayList<>();

        Messages(String log) {
            Matcher entry = ENTRY.matcher(log);
            while (entry.find()) {
                int length = Integer.parseInt(entry.group(2));
                String text = log.substring(entry.end(), Math.min(entry.end() + length, log.length()));
                all.add(new Message(entry.group(1).equals("sent"), text));
            }
        }

        /** All of them. */
        List<Message> all() {
            return List.copyOf(all);
        }

        /** "sent INVITE", "received 180", and so on. */
        List<String> summary() {
            return all.stream()
                    .map(message -> (message.isSent() ? "sent " : "received ") + message.kind())
                    .toList();
        }

        List<Message> received(String kind) {
            return all.stream()
                    .filter(message -> !message.isSent() && message.kind().equals(kind))
                    .toList();
        }

        List<Message> sent(String kind) {
            return all.stream()
                    .filter(message -> message.isSent() && message.kind().equals(kind))
                    .toList();
        }
    }

    /** One message as it was on the wire. */
    record Message(boolean isSent, String text) {
        /** The method of a request, the status of a response. */
        String kind() {
            String[] words = text.split(" ", 3);
            return words[0].equals("SIP/2.0") ? words[1] : words[0];
        }

        String startLine() {
            return text.substring(0, text.indexOf('\r'));
        }

        /** The values of header lines of a name, as it is written. */
        List<String> headers(String name) {
            return text.lines()
                    .takeWhile(line -> !line.isEmpty())
                    .filter(line -> line.startsWith(name + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .toList();
        }

        String header(String name) {
            List<String> values = headers(name);
            assertThat(values).as(name + " in\n" + text).hasSize(1);
            return values.getFirst();
        }

        /** The branch of the topmost Via. */
        String branch() {
            Matcher branch =
                    Pattern.compile("branch=([^;,\\s]+)").matcher(headers("Via").getFirst());
            assertThat(branch.find()).as(text).isTrue();
            return branch.group(1);
        }
    }
}
