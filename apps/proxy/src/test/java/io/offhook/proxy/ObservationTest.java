package io.offhook.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.proxy.control.ControlClient;
import io.offhook.proxy.control.ControlException;
import io.offhook.proxy.control.ControlRequest;
import io.offhook.proxy.line.LineOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What commands see of the messages of a proxy that runs. */
@Timeout(60)
class ObservationTest {
    @TempDir
    private Path folder;

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final DatagramSocket alice = socket();
    private final DatagramSocket bob = socket();

    private static DatagramSocket socket() {
        try {
            return new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        alice.close();
        bob.close();
        assertThat(failures).isEmpty();
    }

    private Path control() {
        return folder.resolve("own/control");
    }

    private Proxy open(String yaml) throws IOException {
        ProxyConfig config = ProxyConfig.reader().read("""
                        listeners: [{name: udp, address: 127.0.0.1, port: 0}]
                        lanes: 2
                        relay: {allow: [127.0.0.0/8]}
                        control: {socket: %s}
                        log: {level: off}
                        """.formatted(control()) + yaml, "test.yaml");
        return Proxy.open(
                config,
                new ProxyEnvironment(failures::add, LineOutput.of(log), Map.of(), "test", true, () -> config, _ -> {}));
    }

    private List<String> ask(String command, String... words) {
        try (ControlClient client = ControlClient.connect(control())) {
            return client.ask(new ControlRequest(command, List.of(words)));
        }
    }

    private void invite(Proxy proxy, String callId) throws IOException {
        send(
                alice,
                proxy,
                "INVITE sip:bob@127.0.0.1:" + bob.getLocalPort() + " SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:"
                        + alice.getLocalPort() + ";branch=z9hG4bK" + callId
                        + "\r\nMax-Forwards: 70\r\nFrom: <sip:alice@example.com>;tag=a\r\nTo: <sip:bob@example.com>\r\nCall-ID: "
                        + callId + "\r\nCSeq: 1 INVITE\r\nContact: <sip:alice@127.0.0.1>\r\nContent-Length: 0\r\n\r\n");
    }

    private static void send(DatagramSocket from, Proxy proxy, String message) throws IOException {
        byte[] octets = message.getBytes(UTF_8);
        from.send(new DatagramPacket(octets, octets.length, proxy.addresses().getFirst()));
    }

    /** The next message of a call whose first line begins with this; others may be sent again meanwhile. */
    private static String receive(DatagramSocket socket, String start, String callId) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        while (true) {
            socket.receive(packet);
            String message = new String(packet.getData(), 0, packet.getLength(), UTF_8);
            if (message.startsWith(start) && message.contains("Call-ID: " + callId)) {
                return message;
            }
        }
    }

    private void answer(Proxy proxy, String request, String status) throws IOException {
        StringBuilder out = new StringBuilder("SIP/2.0 " + status + "\r\n");
        request.lines()
                .filter(line -> line.matches("(Via|Record-Route|From|To|Call-ID|CSeq): .*"))
                .map(line -> line.startsWith("To: ") ? line + ";tag=b" : line)
                .forEach(line -> out.append(line).append("\r\n"));
        send(bob, proxy, out + "Content-Length: 0\r\n\r\n");
    }

    private static String arrow(boolean isToProxy, Proxy proxy, DatagramSocket other) {
        String own = "127.0.0.1:" + proxy.addresses().getFirst().getPort();
        String far = "127.0.0.1:" + other.getLocalPort();
        return isToProxy
                ? "\"from\":\"" + far + "\",\"to\":\"" + own + "\""
                : "\"from\":\"" + own + "\",\"to\":\"" + far + "\"";
    }

    @Test
    void showsTheMessagesOfACallThatRuns() throws IOException {
        try (Proxy proxy = open("")) {
            invite(proxy, "one");
            answer(proxy, receive(bob, "INVITE", "one"), "180 Ringing");
            receive(alice, "SIP/2.0 180", "one");
            String call = ask("call", "one").getFirst();
            assertThat(call).contains("\"state\":\"ringing\"", "\"messagesLeftOut\":0");
            assertThat(call.substring(call.indexOf("\"messages\"")).split("\\{\"atUs\"", -1))
                    .hasSizeBetween(5, 6);
            assertThat(call)
                    .contains(arrow(true, proxy, alice) + ",\"method\":\"INVITE\",\"status\":0,\"repeated\":false")
                    .contains(arrow(false, proxy, bob) + ",\"method\":\"INVITE\",\"status\":0,\"repeated\":false")
                    .contains(arrow(true, proxy, bob) + ",\"method\":\"INVITE\",\"status\":180,\"repeated\":false")
                    .contains(arrow(false, proxy, alice) + ",\"method\":\"INVITE\",\"status\":180,\"repeated\":false");
            proxy.closeNow();
        }
    }

    @Test
    void remembersACallThatWasRefused() throws IOException {
        try (Proxy proxy = open("")) {
            invite(proxy, "busy");
            answer(proxy, receive(bob, "INVITE", "busy"), "486 Busy Here");
            receive(alice, "SIP/2.0 486", "busy");
            assertThat(ask("call", "busy"))
                    .singleElement()
                    .asString()
                    .contains("\"state\":\"ended\"", "\"method\":\"ACK\"", "\"status\":486");
            proxy.closeNow();
        }
    }

    @Test
    void remembersNothingIfToldSo() throws IOException {
        try (Proxy proxy = open("statistics: {call-messages: 0}")) {
            invite(proxy, "one");
            receive(bob, "INVITE", "one");
            assertThat(ask("call", "one"))
                    .singleElement()
                    .asString()
                    .endsWith("\"messagesLeftOut\":0,\"messages\":[]}");
            assertThatThrownBy(() -> ask("call", "two")).isInstanceOf(ControlException.class);
            proxy.closeNow();
        }
    }

    @Test
    void tracesACallIntoTheLogWhateverItsLevelIs() throws IOException {
        try (Proxy proxy = open("")) {
            invite(proxy, "before");
            receive(bob, "INVITE", "before");
            assertThat(ask("trace", "caller=alice", "calls=1", "for", "1m")).hasSize(1);
            invite(proxy, "traced");
            answer(proxy, receive(bob, "INVITE", "traced"), "180 Ringing");
            receive(alice, "SIP/2.0 180", "traced");
            invite(proxy, "beyond");
            receive(bob, "INVITE", "beyond");
            assertThat(ask("trace").getFirst()).contains("\"calls\":1");
            ask("trace", "off");
            proxy.closeNow();
        }
        assertThat(log.toString(UTF_8))
                .containsPattern(
                        "trace sip received 127.0.0.1:" + alice.getLocalPort() + " > 127.0.0.1:\\d+ UDP: INVITE")
                .containsPattern("trace sip sent 127.0.0.1:\\d+ > 127.0.0.1:" + bob.getLocalPort() + " UDP: INVITE")
                .containsPattern("trace sip received 127.0.0.1:" + bob.getLocalPort() + ".*: SIP/2.0 180 Ringing\n")
                .contains("    Call-ID: traced\n")
                .doesNotContain("before")
                .doesNotContain("beyond");
    }
}
