package io.offhook.web.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebhookSenderTest {
    private final BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> headers = new LinkedBlockingQueue<>();
    private final AtomicInteger status = new AtomicInteger(204);
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        server.createContext("/hook", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            headers.add(exchange.getRequestMethod()
                    + ' '
                    + exchange.getRequestHeaders().getFirst("Content-Type")
                    + ' '
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.getResponseHeaders().set("Location", "http://127.0.0.1:1/elsewhere");
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private WebhookSender sender(int port, long timeoutNs) {
        return new WebhookSender(
                new TargetConfig.Webhook(URI.create("http://127.0.0.1:" + port + "/hook"), "secret", timeoutNs));
    }

    @Test
    void postsANoticeAsJson() throws Exception {
        sender(server.getAddress().getPort(), 10_000_000_000L).send(Notices.hostile());
        assertThat(headers.poll()).isEqualTo("POST application/json Bearer secret");
        assertThat(bodies.poll())
                .startsWith("{\"state\":\"raised\",\"name\":\"brute"
                        + " force\",\"kind\":\"brute-force\",\"since\":\"1795000000.000000000\",\"value\":80,\"text\":\"192.0.2.9:"
                        + " 80; mostly x\\\"}\\r"
                        + "\\n"
                        + "Bcc:")
                .endsWith(",\"at\":\"1795000001.000000000\",\"suppressed\":3}\n")
                .doesNotContain("\r")
                .containsOnlyOnce("\n");
    }

    @Test
    void triesAgainLaterWhatTheServerCannotTakeNow() {
        WebhookSender sender = sender(server.getAddress().getPort(), 10_000_000_000L);
        for (int code : new int[] {500, 503, 429, 408}) {
            status.set(code);
            assertThatThrownBy(() -> sender.send(Notices.hostile()))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NoticeSender.RefusedException.class)
                    .hasMessageContaining(String.valueOf(code));
        }
    }

    @Test
    void givesUpWhatTheServerRefusesAndFollowsNoRedirection() {
        WebhookSender sender = sender(server.getAddress().getPort(), 10_000_000_000L);
        for (int code : new int[] {400, 404, 302}) {
            status.set(code);
            assertThatThrownBy(() -> sender.send(Notices.hostile())).isInstanceOf(NoticeSender.RefusedException.class);
        }
    }

    @Test
    void endsWhenTheServerDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> sender(silent.getLocalPort(), 100_000_000L).send(Notices.hostile()))
                    .isInstanceOf(IOException.class);
        }
    }
}
