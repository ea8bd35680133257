package io.offhook.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.web.alert.AlertConfig;
import io.offhook.web.metrics.CallMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that are slow or many do not keep the connections of a server from others. */
@Timeout(120)
class ConnectionLimitsTest {
    private static final String REQUEST = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int MOST = 2;

    private final List<Exception> failures = new ArrayList<>();
    private CallServer server;

    @BeforeEach
    void start() throws Exception {
        EmptyCalls calls = new EmptyCalls();
        ServerSettings settings = new ServerSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), List.of(), null, false, 1000, "0");
        server = CallServer.start(
                settings,
                calls,
                calls,
                new CallMetrics(),
                AlertConfig.NONE,
                failures::add,
                new CallServer.Limits(MOST, false, Duration.ofSeconds(2), Duration.ofMillis(100)));
    }

    @AfterEach
    void end() {
        server.close();
        assertThat(failures).isEmpty();
    }

    private Socket connected() throws IOException {
        return new Socket(server.uri().getHost(), server.uri().getPort());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Asks, and says whether there was an answer. */
    private static boolean isAnswered(Socket socket) {
        try {
            send(socket, REQUEST);
            byte[] answer = new byte[4096];
            int read = socket.getInputStream().read(answer);
            return read > 0 && new String(answer, 0, read, StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200");
        } catch (IOException _) {
            return false; // it was closed
        }
    }

    @Test
    void aRequestWhoseHeadersComeByteByByteIsClosed() throws Exception {
        try (Socket slow = connected()) {
            send(slow, "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
            boolean isOpen = true;
            while (isOpen) { // as long as it may go on, which is for ever if nothing ends it
                try {
                    send(slow, "x");
                    Thread.sleep(50);
                    isOpen = slow.getInputStream().available() > 0 || !isClosed(slow);
                } catch (IOException _) {
                    isOpen = false;
                }
            }
        }
        try (Socket other = connected()) {
            assertThat(isAnswered(other)).isTrue();
            assertThat(isAnswered(other)).as("a second request").isTrue();
        }
    }

    private static boolean isClosed(Socket socket) throws IOException {
        socket.setSoTimeout(1);
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException _) {
            return false;
        }
    }

    @Test
    void anAddressHasNoMoreConnectionsThanItMay() throws Exception {
        try (Socket first = connected()) {
            assertThat(isAnswered(first)).isTrue();
            try (Socket second = connected()) {
                assertThat(isAnswered(second)).isTrue();
                try (Socket third = connected()) {
                    assertThat(isAnswered(third)).isFalse();
                }
            }
            boolean isServed = false;
            while (!isServed) { // when the server has noticed the end of the second
                try (Socket fourth = connected()) {
                    isServed = isAnswered(fourth);
                }
            }
        }
    }
}
