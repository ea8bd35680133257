package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.CpuAffinity;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ForwardCommandTest {
    private static final String BRIDGE = """
            ports:
              - {name: left, interface: f0, promiscuous: true}
              - {name: right, interface: f1, promiscuous: true}
            lanes: [{ports: [left, right]}]
            stages:
              - filter:
                  rules: [{action: deny, match: udp port 7}]
              - bridge
            """;

    /** Those of 20 seconds. */
    private static final int MOST_LINES = 100;

    @TempDir
    Path folder;

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("f.yaml"), text).toString();
    }

    @Test
    void checksAConfigurationWithoutItsInterfaces() throws IOException {
        String file = file(BRIDGE);
        Offhook.Result result = Offhook.run("forward", "--config", file, "--check");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isEqualTo(file + ": no faults\n");
        assertThat(result.code()).isZero();
    }

    @Test
    void tellsAllFaultsWithTheirLines() throws IOException {
        String file = file(BRIDGE.replace("promiscuous", "promiscous").replace("action: deny", "action: forbid"));
        Offhook.Result result = Offhook.run("forward", "--check", "--config", file, "--interval", "1 parsec");
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err().lines())
                .hasSize(4)
                .anyMatch(line -> line.contains("option --interval: statistics.interval: \"1 parsec\""))
                .anyMatch(line -> line.contains(file + ":2:33: ports[0].promiscous"))
                .anyMatch(line -> line.contains(":3:34: ports[1].promiscous"))
                .anyMatch(line -> line.contains("did you mean \"promiscuous\"?"))
                .anyMatch(line -> line.contains(":7:24: stages[0].filter.rules[0].action: \"forbid\" is not known"));
    }

    @Test
    void saysWhatItNeeds() {
        assertThat(Offhook.run("forward").err()).contains("--config FILE is missing");
        assertThat(Offhook.run("forward", "--config", "x", "--format", "csv").err())
                .contains("table or json");
        Offhook.Result none = Offhook.run("forward", "--config", folder + "/none.yaml");
        assertThat(none.err()).contains("none.yaml: there is no such file");
        assertThat(none.code()).isEqualTo(ExitCode.MISUSE);
    }

    static boolean isPossible() {
        boolean hasIp =
                Stream.of("/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip").anyMatch(ip -> Files.isExecutable(Path.of(ip)));
        return hasIp && System.getProperty("user.name").equals("root");
    }

    private static void ip(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    /** A namespace with two interfaces; @return its name */
    private static String network() throws Exception {
        String space = "offhook-fc-" + ProcessHandle.current().pid();
        ip("netns", "add", space);
        for (String name : List.of("f0", "f1")) {
            ip("-n", space, "link", "add", name, "type", "veth", "peer", "name", name + "p");
            ip("-n", space, "link", "set", name, "up");
            ip("-n", space, "link", "set", name + "p", "up");
        }
        return space;
    }

    private static List<String> command(String space, String file, String... options) {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", space));
        // as from a terminal: under nohup, say, SIGHUP would be ignored
        command.addAll(List.of("env", "--default-signal=HUP,INT,TERM"));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.offhook.cli.Main",
                "forward",
                "--config",
                file));
        command.addAll(List.of(options));
        return command;
    }

    /** In a namespace of its own: reads its file again on SIGHUP and when it changes, ends on SIGTERM. */
    @Test
    @EnabledIf(value = "isPossible", disabledReason = "needs root and ip (iproute2)")
    void runsReadsItsFileAgainAndEnds() throws Exception {
        String space = network();
        try {
            String file = file(BRIDGE);
            Process process = new ProcessBuilder(command(space, file, "--interval", "200ms", "--format", "json"))
                    .redirectError(new File(folder.toFile(), "err"))
                    .start();
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(Json.paths(Json.object(out.readLine()))).contains("ports[].received", "forwarded");
                ProcessHandle java = process.toHandle(); // ip becomes java
                ip("-n", space, "link", "set", "f1", "down"); // tables are exchanged all the same
                await(out, "port right: f1 is down: sudo ip link set f1 up");
                hangUp(java);
                await(out, "was read again");
                ip("-n", space, "link", "set", "f1", "up");
                await(out, "port right: f1 is up again");
                ip("-n", space, "link", "set", "f1p", "down");
                await(out, "port right: f1 has no carrier");
                ip("-n", space, "link", "del", "f1");
                await(out, "port right: f1 is gone");
                file(BRIDGE.replace("udp port 7", "udp prt 7"));
                await(out, "was not taken, for it has faults");
                file(BRIDGE.replace("name: right, interface: f1", "name: right, interface: f1, ring: 4096"));
                await(out, "was not taken, as this needs a new start");
                java.destroy();
                String last = out.readLine();
                for (String line = last; line != null; line = out.readLine()) {
                    last = line;
                }
                assertThat(last).startsWith("{\"sinceStartMs\":").endsWith("}");
                assertThat(last).contains("\"driver\":\"AF_PACKET\",\"state\":\"up\"", "\"state\":\"gone\"");
                assertThat(err().lines().filter(line -> line.contains("f1 is"))).hasSize(3);
            }
            assertThat(process.waitFor()).as(err()).isZero();
        } finally {
            ip("netns", "del", space);
        }
    }

    @Test
    @EnabledIf(value = "isPossible", disabledReason = "needs root and ip (iproute2)")
    void tellsHowPortsAreDrivenAndThatAMirrorCouldNotBeWritten() throws Exception {
        String space = network();
        try {
            String file = file(BRIDGE.replace("  - bridge", "  - mirror: {file: /dev/full}\n  - bridge")
                    .replace("interface: f1,", "interface: f1, backend: xdp,"));
            Process process = new ProcessBuilder(command(space, file, "--duration", "1"))
                    .redirectError(new File(folder.toFile(), "err"))
                    .start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(err()).isEqualTo(ExitCode.UNWRITABLE);
            assertThat(out).contains("Lost coming");
            assertThat(err())
                    .contains("left: f0 by AF_PACKET\n")
                    .containsPattern("right: f1 by AF_XDP, (native|generic), (zero-copy|copy mode)\n")
                    .contains("the mirrored packets could not all be written to /dev/full: ");
        } finally {
            ip("netns", "del", space);
        }
    }

    @Test
    @EnabledIf(value = "isPossible", disabledReason = "needs root and ip (iproute2)")
    void tellsWhereLanesReallyRan() throws Exception {
        String space = network();
        try {
            int processor = CpuAffinity.processors()[0];
            String file = file(BRIDGE.replace("{ports:", "{core: " + processor + ", ports:"));
            String seen = "pinned to processor " + processor + ", seen on " + processor + " (";
            assertThat(output(command(space, file, "--duration", "1", "--pin"))).contains("Lane forward-0: " + seen);
            List<String> lines = output(command(space, file, "--duration", "1", "--pin", "--format", "json"))
                    .lines()
                    .toList();
            assertThat(lines.getLast())
                    .startsWith("{\"placement\":{\"lanes\":[{\"name\":\"forward-0\",\"pinnedTo\":" + processor + ",");
        } finally {
            ip("netns", "del", space);
        }
    }

    private String output(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectError(new File(folder.toFile(), "err"))
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(err()).isZero();
        return out;
    }

    private static void hangUp(ProcessHandle process) throws Exception {
        Process kill = new ProcessBuilder("kill", "-HUP", String.valueOf(process.pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    private String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    /** Lines come five times a second. */
    private void await(BufferedReader out, String text) throws IOException {
        for (int lines = 0; !err().contains(text); lines++) {
            assertThat(lines).as("lines without \"%s\" after %s", text, err()).isLessThan(MOST_LINES);
            assertThat(out.readLine()).as(err()).isNotNull();
        }
    }
}
