package io.offhook.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.transport.CloseCause;
import io.offhook.transport.ConnectSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class WebSocketTest {
    private static final WebSocketSettings SETTINGS = WebSocketSettings.of("sip", List.of());
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: sip\r\n"
            + "Sec-WebSocket-Version: 13\r\n\r\n";

    /** A client of sockets only, past the handshake. */
    private static Socket client(SocketServer server) throws IOException {
        Socket socket = server.client();
        socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
        StringBuilder response = new StringBuilder();
        while (response.indexOf("\r\n\r\n") < 0) {
            response.append((char) socket.getInputStream().read());
        }
        assertThat(response).startsWith("HTTP/1.1 101 ");
        return socket;
    }

    /** A masked frame of a client; the first octet is FIN, reserved bits and opcode. */
    private static byte[] frame(int first, byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first);
        if (payload.length < 126) {
            out.write(0x80 | payload.length);
        } else if (payload.length < 0x10000) {
            out.write(0x80 | 126);
            out.write(payload.length >>> 8);
            out.write(payload.length);
        } else {
            out.write(0x80 | 127);
            out.writeBytes(new byte[] {0, 0, 0, 0});
            for (int i = 3; i >= 0; i--) {
                out.write(payload.length >>> 8 * i);
            }
        }
        byte[] mask = {0x11, (byte) 0xf2, 0x33, 0x04};
        out.writeBytes(mask);
        for (int i = 0; i < payload.length; i++) {
            out.write(payload[i] ^ mask[i % 4]);
        }
        return out.toByteArray();
    }

    private static byte[] frame(int first, String payload) {
        return frame(first, payload.getBytes(StandardCharsets.UTF_8));
    }

    /** Opcode and payload of the next frame of the server, which is unmasked and shorter than 126 bytes. */
    private static String read(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        int first = in.read();
        int length = in.read();
        assertThat(length).isBetween(0, 125);
        return Integer.toHexString(first) + " " + HexFormat.of().formatHex(in.readNBytes(length));
    }

    @Test
    void findsMessagesWhateverTheFramesAndPieces() throws Exception {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(frame(0x81, "one"));
        stream.writeBytes(frame(0x01, "t"));
        stream.writeBytes(frame(0x89, "in between"));
        stream.writeBytes(frame(0x00, ""));
        stream.writeBytes(frame(0x00, "w"));
        stream.writeBytes(frame(0x80, "o"));
        stream.writeBytes(frame(0x82, "three"));
        stream.writeBytes(frame(0x81, ""));
        stream.writeBytes(frame(0x01, ""));
        stream.writeBytes(frame(0x80, "x".repeat(70_000)));
        byte[] octets = stream.toByteArray();
        for (int piece : new int[] {1, 2, 3, 7, 100, 5_000, octets.length}) {
            try (SocketServer server = new SocketServer(SETTINGS, false);
                    Socket client = client(server)) {
                server.expect("opened / ");
                for (int at = 0; at < octets.length; at += piece == 1 && at > 200 ? 1_000 : piece) {
                    int size = piece == 1 && at > 200 ? 1_000 : piece;
                    client.getOutputStream().write(octets, at, Math.min(size, octets.length - at));
                }
                server.expect("text one", "text two", "binary three", "text ", "text " + "x".repeat(70_000));
                assertThat(read(client)).isEqualTo("8a " + hex("in between"));
            }
        }
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void everySplitOfFragmentedMessagesIsTheSame() {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(frame(0x01, "ab"));
        stream.writeBytes(frame(0x89, "p"));
        stream.writeBytes(frame(0x80, "cd"));
        stream.writeBytes(frame(0x82, "e"));
        byte[] octets = stream.toByteArray();
        for (int first = 0; first <= octets.length; first++) {
            for (int second = first; second <= octets.length; second++) {
                Collected collected = new Collected();
                WebSocketMessages messages = new WebSocketMessages(true, 100, collected);
                byte[] held = {};
                int from = 0;
                for (int cut : new int[] {first, second, octets.length}) {
                    byte[] joined = Arrays.copyOf(held, held.length + cut - from);
                    System.arraycopy(octets, from, joined, held.length, cut - from);
                    int consumed = messages.received(joined, 0, joined.length);
                    held = Arrays.copyOfRange(joined, consumed, joined.length);
                    from = cut;
                }
                assertThat(collected.found).containsExactly("9 p", "message abcd", "message e");
                assertThat(held).isEmpty();
            }
        }
    }

    private static final class Collected implements WebSocketMessages.Receiver {
        private final List<String> found = new ArrayList<>();

        @Override
        public void message(byte[] octets, int offset, int length, boolean isText) {
            found.add("message " + new String(octets, offset, length, StandardCharsets.UTF_8));
        }

        @Override
        public void control(int opcode, byte[] octets, int offset, int length) {
            found.add(opcode + " " + new String(octets, offset, length, StandardCharsets.UTF_8));
        }

        @Override
        public void fault(int code, @Nullable String detail) {
            found.add("fault " + code);
        }

        @Override
        public boolean isReading() {
            return true;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "810161, 1002, not masked",
        "c18100000000 61, 1002, reserved bit",
        "838000000000, 1002, unknown opcode",
        "8b8000000000, 1002, unknown control opcode",
        "808000000000, 1002, continuation of nothing",
        "018000000000 818000000000, 1002, a message in a message",
        "098000000000, 1002, ping in fragments",
        "89fe007e00000000, 1002, ping of 126 bytes",
        "81fe007d00000000, 1002, length in more bytes than needed",
        "81ff000000000000ffff00000000, 1002, length in more bytes than needed",
        "81ff800000000000000000000000, 1002, highest bit of the length",
        "82ff000000010000000000000000, 1009, longer than 32 bits",
        "82ff000000000001400100000000, 1009, longer than the limit",
        "81820000 0000 c0af, 1007, overlong UTF-8",
        "81830000 0000 eda080, 1007, a surrogate",
        "81840000 0000 f4908080, 1007, above Unicode",
        "81810000 0000 c3, 1007, truncated UTF-8",
        "81810000 0000 80, 1007, a continuation octet alone",
        "8881000000 0003, 1002, close with half a code",
        "8882000000 0003ed, 1002, close with a code that is never sent",
        "8883000000 0003e8ff, 1002, close with a reason that is not UTF-8"
    })
    void violationsEndItWithTheirCode(String frames, int code, String what) throws Exception {
        try (SocketServer server = new SocketServer(SETTINGS, false);
                Socket client = client(server)) {
            client.getOutputStream().write(HexFormat.of().parseHex(frames.replace(" ", "")));
            assertThat(read(client)).as(what).isEqualTo("88 " + HexFormat.of().toHexDigits((short) code));
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            client.shutdownOutput();
            server.expect("opened / ");
            assertThat(server.event()).startsWith("closed FINISHED " + code + " ");
            assertThat(server.events).isEmpty();
        }
    }

    @Test
    void boundsMessagesInFragments() throws Exception {
        WebSocketSettings small = new WebSocketSettings("sip", List.of(), 8_192, 1_000, SETTINGS.handshakeNs());
        try (SocketServer server = new SocketServer(small, false);
                Socket client = client(server)) {
            client.getOutputStream().write(frame(0x01, "x".repeat(600)));
            client.getOutputStream().write(frame(0x80, "y".repeat(400)));
            server.expect("opened / ", "text " + "x".repeat(600) + "y".repeat(400));
            client.getOutputStream().write(frame(0x01, "x".repeat(600)));
            client.getOutputStream().write(frame(0x80, "y".repeat(401)));
            assertThat(read(client)).isEqualTo("88 03f1");
        }
    }

    @Test
    void anEndlessMessageOfEmptyFragmentsIsBounded() throws Exception {
        try (SocketServer server = new SocketServer(SETTINGS, false);
                Socket client = client(server)) {
            client.getOutputStream().write(frame(0x01, ""));
            try {
                for (int i = 0; i < 100_000; i++) {
                    client.getOutputStream().write(frame(0x00, ""));
                }
            } catch (IOException e) {
                // it was closed
            }
            server.expect("opened / ");
            assertThat(server.event()).startsWith("closed UNREAD_LIMIT 1006");
        }
    }

    @Test
    void answersAClose() throws Exception {
        try (SocketServer server = new SocketServer(SETTINGS, false);
                Socket client = client(server)) {
            client.getOutputStream().write(frame(0x88, HexFormat.of().parseHex("0fa0" + hex("bye"))));
            assertThat(read(client)).isEqualTo("88 0fa0");
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            client.shutdownOutput();
            server.expect("opened / ", "closed FINISHED 4000 closed by the peer");
        }
    }

    /** The JDK's client, written by others. */
    private static final class JdkListener implements java.net.http.WebSocket.Listener {
        private final BlockingQueue<String> events;
        private final StringBuilder text = new StringBuilder();

        JdkListener(BlockingQueue<String> events) {
            this.events = events;
        }

        @Override
        public @Nullable CompletionStage<?> onText(java.net.http.WebSocket socket, CharSequence data, boolean isLast) {
            text.append(data);
            if (isLast) {
                events.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onPong(java.net.http.WebSocket socket, ByteBuffer message) {
            events.add("pong " + message.remaining());
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(java.net.http.WebSocket socket, int code, String reason) {
            events.add("closed " + code);
            return null;
        }
    }

    @Test
    void speaksWithTheClientOfTheJdk() throws Exception {
        try (SocketServer server = new SocketServer(SETTINGS, true);
                HttpClient http = HttpClient.newHttpClient()) {
            BlockingQueue<String> events = new LinkedBlockingQueue<>();
            java.net.http.WebSocket client = http.newWebSocketBuilder()
                    .subprotocols("sip")
                    .buildAsync(URI.create("ws://127.0.0.1:" + server.port() + "/x"), new JdkListener(events))
                    .get(20, TimeUnit.SECONDS);
            assertThat(client.getSubprotocol()).isEqualTo("sip");
            String large = "é".repeat(35_000);
            client.sendText("first ", false).get(20, TimeUnit.SECONDS);
            client.sendText("and second", true).get(20, TimeUnit.SECONDS);
            client.sendText(large, true).get(20, TimeUnit.SECONDS);
            client.sendPing(ByteBuffer.allocate(5)).get(20, TimeUnit.SECONDS);
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("first and second");
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo(large);
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("pong 5");
            client.sendClose(4001, "done").get(20, TimeUnit.SECONDS);
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("closed 4001");
            server.expect("opened /x ");
            assertThat(server.event()).matches("closed (FINISHED|RESET|CLOSED_HERE) 4001 closed by the peer");
        }
    }

    @Test
    void drainingSaysGoodBye() throws Exception {
        SocketServer server = new SocketServer(SETTINGS, true);
        try (HttpClient http = HttpClient.newHttpClient()) {
            BlockingQueue<String> events = new LinkedBlockingQueue<>();
            http.newWebSocketBuilder()
                    .subprotocols("sip")
                    .buildAsync(URI.create("ws://127.0.0.1:" + server.port() + "/x"), new JdkListener(events))
                    .get(20, TimeUnit.SECONDS);
            assertThat(server.loops.drain(10_000_000_000L)).isTrue();
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("closed 1001");
        } finally {
            server.close();
        }
    }

    @Test
    void theOwnClientAndServerUnderstandEachOther() throws Exception {
        try (SocketServer server = new SocketServer(SETTINGS, false);
                SocketServer clients = new SocketServer(SETTINGS, false)) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.port());
            BlockingQueue<WebSocket> opened = new LinkedBlockingQueue<>();
            WebSocketHandler handler = new WebSocketHandler() {
                @Override
                public void opened(WebSocket socket) {
                    opened.add(socket);
                }

                @Override
                public void message(WebSocket socket, byte[] octets, int offset, int length, boolean isText) {}

                @Override
                public void closed(WebSocket socket, CloseCause cause, int code, @Nullable String detail) {
                    clients.events.add("closed " + code + " " + detail);
                }
            };
            clients.loops.connect(
                    ConnectSettings.tcp(address), WebSockets.client(SETTINGS, "sip.example", "/ws", handler));
            WebSocket socket = opened.poll(20, TimeUnit.SECONDS);
            assertThat(socket).isNotNull();
            byte[] large = new byte[66_000];
            Random random = new Random(9);
            for (int i = 0; i < large.length; i++) {
                large[i] = (byte) ('a' + random.nextInt(26));
            }
            byte[] copy = large.clone();
            assertThat(socket.send(large, 0, large.length, false)).isTrue();
            assertThat(large).isEqualTo(copy);
            assertThat(socket.send("ping".getBytes(StandardCharsets.US_ASCII), 0, 4, true))
                    .isTrue();
            server.expect("opened /ws ", "binary " + new String(copy, StandardCharsets.US_ASCII), "text ping", "pong");
            assertThat(socket.send("close".getBytes(StandardCharsets.US_ASCII), 0, 5, true))
                    .isTrue();
            server.expect("text close");
            clients.expect("closed 1008 closed by the peer");
            assertThat(socket.send(large, 0, 1, true)).isFalse();
        }
    }

    @Test
    void aClientRefusesAServerThatDoesNotAgree() throws Exception {
        WebSocketSettings other = WebSocketSettings.of("other", List.of());
        try (SocketServer server = new SocketServer(other, false);
                SocketServer clients = new SocketServer(SETTINGS, false)) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), server.port());
            clients.loops.connect(
                    ConnectSettings.tcp(address),
                    WebSockets.client(SETTINGS, "sip.example", "/", clients.new Handler(false)));
            clients.expect("closed FINISHED 1006 HTTP/1.1 400 Bad Request");
            assertThat(server.event()).endsWith("subprotocol other is not offered");
        }
    }
}
