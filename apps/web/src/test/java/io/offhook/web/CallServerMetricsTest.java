package io.offhook.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.web.alert.AlertConfig;
import io.offhook.web.metrics.CallMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallServerMetricsTest {
    private final BlockingQueue<Exception> failures = new LinkedBlockingQueue<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private CallServer server;

    @BeforeEach
    void open() {
        ServerSettings settings = new ServerSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), List.of(), null, false, 1000, "1.2.3");
        server = CallServer.start(
                settings,
                FixedData.unreachable(),
                (file, name) -> {
                    throw new IOException("not here");
                },
                new CallMetrics(),
                AlertConfig.NONE,
                failures::add);
    }

    @AfterEach
    void close() {
        server.close();
        client.close();
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create(server.uri() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void servesMetricsInTheFormatOfPrometheus() throws Exception {
        HttpResponse<String> answer = get("metrics");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer.body()).startsWith("# HELP offhook_build_info ").endsWith("\n");
    }

    @Test
    void countsRequestsByHowTheyEnded() throws Exception {
        assertThat(get("api/v1/alerts").body()).isEqualTo("{\"rules\":0,\"alerts\":[]}\n");
        assertThat(get("api/v1/calls?limit=x").statusCode()).isEqualTo(400);
        assertThat(get("api/v1/calls").statusCode()).isEqualTo(500);
        assertThat(failures).hasSize(1);
        assertThat(get("api/v1/nothing").statusCode()).isEqualTo(404);
        assertThat(get("metrics").body())
                .contains("offhook_http_requests_total{route=\"alerts\",code=\"200\"} 1\n")
                .contains("offhook_http_requests_total{route=\"calls\",code=\"400\"} 1\n")
                .contains("offhook_http_requests_total{route=\"calls\",code=\"500\"} 1\n")
                .contains("offhook_http_requests_total{route=\"api\",code=\"404\"} 1\n")
                .contains("offhook_http_request_duration_seconds_count 4\n");
    }
}
