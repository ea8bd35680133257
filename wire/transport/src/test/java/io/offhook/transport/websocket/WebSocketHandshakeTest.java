package io.offhook.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.transport.CloseCause;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class WebSocketHandshakeTest {
    private static final WebSocketSettings SIP = WebSocketSettings.of("sip", List.of("https://Phone.example"));
    private static final String REQUEST = "GET /sip?a=b HTTP/1.1\r\nHost: sip.example\r\nUpgrade: WebSocket\r\n"
            + "Connection: keep-alive, Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Origin: https://phone.example\r\nSec-WebSocket-Protocol: other, sip\r\nSec-WebSocket-Version: 13\r\n\r\n";

    private static WebSocketHandshake.Answer answer(String request) {
        byte[] octets = request.getBytes(StandardCharsets.ISO_8859_1);
        assertThat(HttpHead.length(octets, 0, octets.length, 0)).isEqualTo(octets.length);
        return WebSocketHandshake.answer(HttpHead.parse(octets, 0, octets.length), SIP);
    }

    private static String text(WebSocketHandshake.Answer answer) {
        return answer.response();
    }

    /** Key and proof are those of RFC 6455, 1.3. */
    @Test
    void acceptsTheRequestOfTheRfc() {
        WebSocketHandshake.Answer answer = answer(REQUEST);
        assertThat(answer.isAccepted()).isTrue();
        assertThat(text(answer))
                .startsWith("HTTP/1.1 101 Switching Protocols\r\n")
                .contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")
                .contains("\r\nSec-WebSocket-Protocol: sip\r\n")
                .endsWith("\r\n\r\n");
        assertThat(answer.path()).isEqualTo("/sip?a=b");
        assertThat(answer.origin()).isEqualTo("https://phone.example");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /sip?a=b, POST /, 400",
        "GET /sip?a=b, GET sip, 400",
        "HTTP/1.1, HTTP/1.0, 400",
        "Host: sip.example, X: y, 400",
        "Host: sip.example, 'Host: a\r\nHost: b', 400",
        "Host: sip.example, 'Host : sip.example', 400",
        "Host: sip.example, 'Host: a\r\n folded', 400",
        "Host: sip.example, 'Host: a\r\nContent-Length: 5', 400",
        "Host: sip.example, 'Host: a\nX: y', 400",
        "Host: sip.example, 'Host: a\rX: y', 400",
        "Upgrade: WebSocket, Upgrade: h2c, 426",
        "'keep-alive, Upgrade', keep-alive, 426",
        "Version: 13, Version: 8, 426",
        "Sec-WebSocket-Version: 13, X: y, 426",
        "dGhlIHNhbXBsZSBub25jZQ==, short, 400",
        "dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZXg9, 400",
        "https://phone.example, https://evil.example, 403",
        "https://phone.example, 'https://phone.example\r\nOrigin: https://evil.example', 403",
        "'other, sip', 'other, SIP', 400",
        "'Sec-WebSocket-Protocol: other, sip', X: y, 400"
    })
    void refusesWhatIsNotRight(String part, String other, int status) {
        assertThat(REQUEST).contains(part);
        WebSocketHandshake.Answer answer = answer(REQUEST.replace(part, other));
        assertThat(answer.isAccepted()).isFalse();
        assertThat(text(answer)).startsWith("HTTP/1.1 " + status + " ").contains("\r\nConnection: close\r\n");
        if (other.equals("Version: 8")) {
            assertThat(text(answer)).contains("\r\nSec-WebSocket-Version: 13\r\n");
        }
    }

    @Test
    void takesClientsThatAreNoBrowsers() {
        assertThat(answer(REQUEST.replace("Origin: https://phone.example\r\n", ""))
                        .isAccepted())
                .isTrue();
    }

    @Test
    void refusesOnTheWireAndCloses() throws Exception {
        try (SocketServer server = new SocketServer(SIP, true);
                Socket client = server.client()) {
            client.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(client.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 426 ");
            client.shutdownOutput();
            server.expect("closed FINISHED 1006 no upgrade to websocket");
        }
    }

    @Test
    void boundsTheRequest() throws Exception {
        try (SocketServer server = new SocketServer(SIP, true);
                Socket client = server.client()) {
            client.getOutputStream().write(("GET /" + "x".repeat(9_000)).getBytes(StandardCharsets.US_ASCII));
            assertThat(client.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void closesAClientThatDoesNotAsk() throws Exception {
        try (SocketServer server = new SocketServer(SIP, true);
                Socket client = server.client()) {
            // accepted, so that the time counts
            while (server.loops.openConnections() == 0) {
                Thread.onSpinWait();
            }
            server.advance(SIP.handshakeNs() + 1_000_000_000L);
            assertThat(server.event()).startsWith("closed IDLE 1006");
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void takesARequestByteByByte() throws Exception {
        try (SocketServer server = new SocketServer(SIP, true);
                Socket client = server.client()) {
            for (byte octet : REQUEST.getBytes(StandardCharsets.US_ASCII)) {
                client.getOutputStream().write(octet);
            }
            server.expect("opened /sip?a=b https://phone.example");
        }
    }

    @Test
    void aClientMustNotAskWithLineEnds() {
        assertThatThrownBy(() -> WebSockets.client(SIP, "a", "/\r\nX: y", new Unused()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static final class Unused implements WebSocketHandler {
        @Override
        public void message(WebSocket socket, byte[] octets, int offset, int length, boolean isText) {}

        @Override
        public void closed(WebSocket socket, CloseCause cause, int code, @Nullable String detail) {}
    }
}
