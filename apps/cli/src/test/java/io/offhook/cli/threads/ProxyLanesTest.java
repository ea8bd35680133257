package io.offhook.cli.threads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.Json;
import io.offhook.cli.Main;
import io.offhook.cli.Offhook;
import io.offhook.linux.lanes.LaneBoard;
import io.offhook.linux.lanes.PublishedLanes;
import io.offhook.testkit.peers.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code offhook threads} of a proxy, which publishes its lanes. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class ProxyLanesTest {
    private static final int REQUESTS = 300;

    @TempDir
    private Path folder;

    private Process proxy() throws IOException {
        Path config = folder.resolve("proxy.yaml");
        Files.writeString(config, """
                listeners: [{name: udp, address: 127.0.0.1, port: 0}]
                lanes: 2
                open: true
                domains: [localhost]
                control: {socket: %s}
                """.formatted(folder.resolve("control")));
        return new ProcessBuilder(JavaProcess.command(
                        List.of("--enable-native-access=ALL-UNNAMED"),
                        Main.class,
                        "proxy",
                        "--no-rehearsal",
                        "--config",
                        config.toString()))
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    /** Its port, once it listens. */
    private int port(BufferedReader out) throws IOException {
        String line = "";
        while (!line.startsWith("listening on UDP")) {
            line = out.readLine();
            assertThat(line).as(Files.readString(folder.resolve("err"))).isNotNull();
        }
        return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
    }

    /** A request that the proxy answers itself, until it has. */
    private static void ask(DatagramSocket phone, InetSocketAddress proxy, int number) throws IOException {
        String request = "OPTIONS sip:localhost SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:" + phone.getLocalPort()
                + ";branch=z9hG4bK" + number + "\r\nMax-Forwards: 70\r\nFrom: <sip:a@localhost>;tag=a\r\n"
                + "To: <sip:localhost>\r\nCall-ID: c" + number + "\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n";
        byte[] octets = request.getBytes(UTF_8);
        DatagramPacket answer = new DatagramPacket(new byte[4096], 4096);
        String said = "";
        while (!said.contains("Call-ID: c" + number + "\r\n")) {
            phone.send(new DatagramPacket(octets, octets.length, proxy));
            try {
                phone.receive(answer);
                said = new String(answer.getData(), 0, answer.getLength(), UTF_8);
            } catch (SocketTimeoutException e) {
                said = ""; // again
            }
        }
    }

    private static List<Map<String, Object>> lanes(String process) {
        Map<String, Object> watched =
                Json.object(Offhook.done("threads", process, "--for", "0.5", "--every", "0.25", "--format", "json")
                        .out());
        return Json.objects(watched.get("lanes"));
    }

    private static long number(Map<String, Object> lane, String field) {
        return ((Number) requireNonNull(lane.get(field))).longValue();
    }

    private static long sum(List<Map<String, Object>> lanes, String field) {
        return lanes.stream().mapToLong(lane -> number(lane, field)).sum();
    }

    @Test
    void seesTheLanesOfAProxyWhileItAnswers() throws Exception {
        try (LaneBoard probe = LaneBoard.open("probe", null)) {
            assumeTrue(probe != null, "needs a folder in memory");
        }
        Process proxy = proxy();
        String pid = Long.toString(proxy.pid());
        try (DatagramSocket phone = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                BufferedReader out = proxy.inputReader()) {
            phone.setSoTimeout(1000);
            InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port(out));
            for (int i = 0; i < REQUESTS; i++) {
                ask(phone, at, i);
            }
            List<Map<String, Object>> lanes = lanes(pid);
            while (sum(lanes, "frames") < REQUESTS) {
                lanes = lanes(pid);
            }
            assertThat(lanes).extracting(lane -> lane.get("name")).containsExactlyInAnyOrder("proxy-0", "proxy-1");
            for (Map<String, Object> lane : lanes) {
                assertThat(((Number) requireNonNull(lane.get("duty"))).doubleValue())
                        .isBetween(0.0, 1.0);
                assertThat(lane).containsEntry("pinnedTo", null);
                assertThat(lane.get("processor")).isNotNull();
                assertThat(Json.objects(lane.get("processors"))).isNotEmpty();
                assertThat(number(lane, "rounds")).isBetween(1L, number(lane, "frames"));
                assertThat(number(lane, "drops")).isZero();
                Map<String, Object> queue = Json.asObject(lane.get("queue"));
                assertThat(queue).containsEntry("of", "bytes unread");
                assertThat(number(queue, "room")).isPositive();
            }
            // others may run a proxy on this machine, too
            Offhook.Result named = Offhook.run("threads", "proxy", "--for", "0.2", "--every", "0.1");
            assertThat(named.out() + named.err()).contains(pid);
        } finally {
            proxy.destroy(); // SIGTERM, which it takes as the wish to end in order
        }
        proxy.waitFor();
        assertThat(PublishedLanes.of(proxy.pid())).isEqualTo(PublishedLanes.NONE);
        assertThat(PublishedLanes.named("proxy")).doesNotContain(proxy.pid());
    }
}
