package io.offhook.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** {@code doctor --watch --port} beside sockets of this process that lose. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class PortWatchCommandTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private DatagramSocket receiver;

    @BeforeEach
    void bind() throws IOException {
        receiver = new DatagramSocket(null);
        receiver.setReceiveBufferSize(8_000);
        receiver.bind(new InetSocketAddress(LOOPBACK, 0));
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    private String port() {
        return Integer.toString(receiver.getLocalPort());
    }

    private String subject() {
        return "UDP 127.0.0.1:" + port() + ", java (" + ProcessHandle.current().pid() + ")";
    }

    /** Runs the command while datagrams arrive that nobody reads. */
    private Offhook.Result watch(String... more) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread sender = Thread.ofPlatform().start(() -> {
            try (DatagramSocket socket = new DatagramSocket()) {
                byte[] payload = new byte[200];
                while (!isOver.get()) {
                    socket.send(new DatagramPacket(payload, payload.length, LOOPBACK, receiver.getLocalPort()));
                    Thread.sleep(1);
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            List<String> arguments = new ArrayList<>(
                    List.of("doctor", "--watch", "--port", port(), "-i", "lo", "--interval", "0.2", "--count", "3"));
            arguments.addAll(List.of(more));
            return Offhook.run(arguments.toArray(String[]::new));
        } finally {
            isOver.set(true);
            sender.join();
        }
    }

    @Test
    void namesTheSocketThatLostWithItsProgramAndQueues() throws Exception {
        Offhook.Result result = watch();
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isEqualTo(ExitCode.FOUND);
        assertThat(result.out())
                .startsWith("Watching port " + port() + ", processors, lo; one line per queue or counter that changes;")
                .containsPattern(
                        "  queues  \\Q" + subject() + ":\\E [0-9,]+ of 16,000 bytes to receive, 0 of [0-9,]+ to send")
                .containsPattern(
                        "  lost [0-9,]+  \\Q" + subject()
                                + ": the socket's receive buffer was full (drops, \\E[0-9,]+ in all\\); [0-9,]+ of 16,000 bytes wait")
                .containsPattern(
                        "\nsocket +program +most to receive +limit +most to send +limit +dropped +sent again\n")
                .containsPattern(
                        "\nUDP 127.0.0.1:" + port() + " +java \\(\\d+\\) +[0-9,]+ +16,000 +0 +[0-9,]+ +[1-9][0-9,]*")
                .containsPattern("packets? lost\n$");
    }

    @Test
    void printsALineAnIntervalAndTheTotalsAsJson() throws Exception {
        List<Map<String, Object>> lines =
                watch("--format", "json").out().lines().map(Json::object).toList();
        assertThat(lines).hasSize(4);
        long lost = 0;
        for (Map<String, Object> line : lines.subList(0, 3)) {
            Map<String, Object> socket = Json.objects(line.get("sockets")).getFirst();
            assertThat(socket)
                    .containsEntry("kind", "udp")
                    .containsEntry("local", "127.0.0.1:" + port())
                    .containsEntry("remote", null)
                    .containsEntry("state", null)
                    .containsEntry("process", "java")
                    .containsEntry("pid", ProcessHandle.current().pid());
            assertThat(Json.asObject(socket.get("receive"))).containsEntry("limit", 16_000L);
            lost += Long.parseLong(String.valueOf(socket.get("dropsGrown")));
            assertThat(Json.objects(line.get("losses")))
                    .filteredOn(loss -> "socket".equals(loss.get("cause")))
                    .allSatisfy(loss -> assertThat(loss)
                            .containsEntry("subject", subject())
                            .containsEntry("grown", socket.get("dropsGrown")));
        }
        assertThat(lost).isPositive();
        Map<String, Object> total = Json.objects(lines.getLast().get("totals")).getFirst();
        assertThat(total).containsEntry("dropsGrown", lost);
        assertThat((Long) lines.getLast().get("lost")).isGreaterThanOrEqualTo(lost);
    }

    @Test
    void namesTheAcceptQueueThatWasFull() throws Exception {
        List<SocketChannel> clients = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(receiver.getLocalPort(), 1, LOOPBACK)) {
            Thread later = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 40; i++) {
                        SocketChannel client = SocketChannel.open();
                        clients.add(client);
                        client.configureBlocking(false);
                        client.connect(server.getLocalSocketAddress());
                        Thread.sleep(20);
                    }
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            Offhook.Result result = watch();
            later.join();
            assertThat(result.out())
                    .containsPattern("  lost [0-9,]+  TCP listener 127.0.0.1:" + port()
                            + ", java \\(\\d+\\): the accept queue was"
                            + " full \\(drops, [0-9,]+ in all\\); 2 of 1 connections wait")
                    .containsPattern("  queues  TCP 127.0.0.1:\\d+ to 127.0.0.1:" + port()
                            + ", java \\(\\d+\\): syn-sent, 0 bytes" + " to receive, 1 to send")
                    .containsPattern("\nTCP listening at 127.0.0.1:" + port() + " +java \\(\\d+\\) +2 +1 ");
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    @Test
    void saysThatNothingIsThereOrLost() throws IOException {
        String port = port();
        receiver.close();
        Offhook.Result result =
                Offhook.run("doctor", "--watch", "--port", port, "-i", "lo", "--interval", "0.1", "--count", "1");
        assertThat(result.out()).contains("No socket has this port yet\n");
    }

    @Test
    void rejectsInvalidOptions() {
        assertThat(Offhook.run("doctor", "--port", "5060").err()).contains("--port requires --watch");
        for (String port : List.of("0", "65536", "sip", "-1")) {
            Offhook.Result result = Offhook.run("doctor", "--watch", "--port=" + port);
            assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
            assertThat(result.err()).contains("--port " + port + " is not a port, 1 to 65535");
        }
    }
}
