package io.offhook.cli.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.terminal.Terminal;
import io.offhook.forward.Burst;
import io.offhook.forward.Forwarder;
import io.offhook.forward.SendQueue;
import io.offhook.forward.application.RehearsedPort;
import io.offhook.linux.CpuAffinity;
import io.offhook.linux.LinuxException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    void reportsAllFaultsWithTheirLines() throws IOException {
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
    void reportsMissingArguments() {
        assertThat(Offhook.run("forward").err()).contains("--config FILE is missing");
        assertThat(Offhook.run("forward", "--config", "x", "--format", "csv").err())
                .contains("use table or json");
        Offhook.Result none = Offhook.run("forward", "--config", folder + "/none.yaml");
        assertThat(none.err()).contains("none.yaml: there is no such file");
        assertThat(none.code()).isEqualTo(ExitCode.MISUSE);
    }

    /** A port that opens, and that the kernel then does not let receive. */
    private static final class Refused extends RehearsedPort {
        Refused() {
            super("left", 1);
        }

        @Override
        public void start() {
            throw new LinuxException("redirect queue 0 of f0", LinuxException.EPERM);
        }

        @Override
        public boolean put(int queue, byte[] packet) {
            return false;
        }

        @Override
        public void open(int receiveQueues, int sendQueues) {
            receiveBy((burst, port) -> 0);
            sendBy(new SendQueue() {
                @Override
                public int send(Burst burst, int[] indexes, int count) {
                    return 0;
                }

                @Override
                public long copies() {
                    return 0;
                }
            });
        }

        @Override
        public void close() {}
    }

    @Test
    void reportsAPortThatMayNotReceive() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Offhook().terminal(OutputStream.nullOutputStream(), err);
        try (Forwarder forwarder =
                new Forwarder.Builder().port(new Refused()).lane(-1, 0).open()) {
            assertThat(ForwardCommand.start(forwarder, () -> {}, terminal)).isFalse();
        }
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("offhook: redirect queue 0 of f0: EPERM")
                .contains("; this requires the capability CAP_NET_RAW");
    }

    /** With two more interfaces at the right. */
    private static CaptureNetwork network() throws Exception {
        CaptureNetwork network = new CaptureNetwork();
        for (String name : List.of("f0", "f1")) {
            network.ip("link", "add", name, "type", "veth", "peer", "name", name + "p");
            network.ip("link", "set", name, "up");
            network.ip("link", "set", name + "p", "up");
        }
        return network;
    }

    /** Reads its file again when it changes and on SIGHUP, ends on SIGTERM. */
    @Test
    @EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
    void runsReloadsAndEnds() throws Exception {
        String often = BRIDGE + "statistics: {interval: 200ms}\n";
        try (CaptureNetwork network = network()) {
            String file = file(BRIDGE + "statistics: {interval: 1h}\n");
            CaptureNetwork.Running running = network.offhook("forward", "--config", file);
            running.awaitError("right: f1 by AF_PACKET");
            file(often); // what follows is told with the figures, and would be in an hour
            running.awaitError("was reloaded");
            network.ip("link", "set", "f1", "down"); // tables are exchanged all the same
            running.awaitError("port right: f1 is down: sudo ip link set f1 up");
            running.signal("HUP").awaitError("was reloaded");
            network.ip("link", "set", "f1", "up");
            running.awaitError("port right: f1 is up again");
            network.ip("link", "set", "f1p", "down");
            running.awaitError("port right: f1 has no carrier");
            network.ip("link", "del", "f1");
            running.awaitError("port right: f1 is gone");
            file(often.replace("udp port 7", "udp prt 7"));
            running.awaitError("was not applied; it has faults");
            file(often.replace("name: right, interface: f1", "name: right, interface: f1, ring: 8192"));
            running.awaitError("was not applied; these changes require a restart");
            assertThat(running.signal("TERM").code()).as(running.err()).isZero();
            assertThat(running.out()).contains("Lost coming");
            assertThat(running.err().lines().filter(line -> line.contains("f1 is")))
                    .hasSize(3);
        }
    }

    @Test
    @EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
    void reportsDriversAndAFailedMirror() throws Exception {
        try (CaptureNetwork network = network()) {
            String file = file(BRIDGE.replace("  - bridge", "  - mirror: {file: /dev/full}\n  - bridge")
                    .replace("interface: f1,", "interface: f1, backend: xdp,"));
            CaptureNetwork.Running running = network.offhook("forward", "--config", file, "--duration", "1");
            assertThat(running.code()).as(running.err()).isEqualTo(ExitCode.UNWRITABLE);
            assertThat(running.out()).contains("Lost coming");
            assertThat(running.err())
                    .contains("left: f0 by AF_PACKET\n")
                    .containsPattern("right: f1 by AF_XDP, (native|generic), (zero-copy|copy mode)\n")
                    .contains("not all mirrored packets could be written to /dev/full: ");
        }
    }

    @Test
    @EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
    void reportsPlacementOfLanes() throws Exception {
        try (CaptureNetwork network = network()) {
            int processor = CpuAffinity.processors()[0];
            String file = file(BRIDGE.replace("{ports:", "{core: " + processor + ", ports:"));
            String seen = "pinned to processor " + processor + ", seen on " + processor + " (";
            assertThat(network.offhook("forward", "--config", file, "--duration", "1", "--pin")
                            .out())
                    .contains("Lane forward-0: " + seen);
            List<String> lines = network.offhook(
                            "forward", "--config", file, "--duration", "1", "--pin", "--format", "json")
                    .out()
                    .lines()
                    .toList();
            assertThat(Json.paths(Json.object(lines.getFirst()))).contains("ports[].received", "forwarded");
            assertThat(lines.getFirst()).contains("\"driver\":\"AF_PACKET\",\"state\":\"up\"");
            assertThat(lines.getLast())
                    .startsWith("{\"placement\":{\"lanes\":[{\"name\":\"forward-0\",\"pinnedTo\":" + processor + ",");
        }
    }
}
