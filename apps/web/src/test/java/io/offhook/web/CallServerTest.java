package io.offhook.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.offhook.testkit.peers.Certificates;
import io.offhook.transport.TlsIdentity;
import io.offhook.web.access.PasswordHash;
import io.offhook.web.alert.AlertConfig;
import io.offhook.web.metrics.CallMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is answered what, and what a browser is told to refuse. */
@Timeout(120)
class CallServerTest {
    private static final String PASSWORD = "correct horse";

    private final List<Exception> failures = new ArrayList<>();
    private @Nullable CallServer server;

    @AfterEach
    void nothingFailed() {
        server().close();
        assertThat(failures).isEmpty();
    }

    private CallServer server() {
        return Objects.requireNonNull(server);
    }

    private void start(String address, List<String> hashes, @Nullable TlsIdentity tls) throws Exception {
        EmptyCalls calls = new EmptyCalls();
        ServerSettings settings = new ServerSettings(
                new InetSocketAddress(InetAddress.getByName(address), 0), hashes, tls, false, 1000, "0");
        server = CallServer.start(settings, calls, calls, new CallMetrics(), AlertConfig.NONE, failures::add);
    }

    private void start() throws Exception {
        start("127.0.0.1", List.of(), null);
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        return send(HttpRequest.newBuilder(server().uri().resolve(path)), headers);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request, String... headers) throws Exception {
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    /** Sends bytes as they are, and returns the first line of the answer. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(server().uri().getHost(), server().uri().getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            return answer.lines().findFirst().orElse("");
        }
    }

    @Test
    void servesThePageWithAPolicyThatAllowsNothingFromElsewhere() throws Exception {
        start();
        HttpResponse<String> page = get("/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("<script type=\"importmap\">");
        String policy = page.headers().firstValue("Content-Security-Policy").orElse("");
        assertThat(policy)
                .contains("default-src 'none'", "script-src 'self' 'sha256-", "frame-ancestors 'none'")
                .doesNotContain("unsafe", "http:", "https:", "*");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }

    @Test
    void servesThePageAtItsPathsAndItsFilesOnly() throws Exception {
        start();
        for (String path : List.of("/calls/1", "/streams", "/registrations", "/statistics", "/system")) {
            assertThat(get(path).body()).contains("importmap");
        }
        for (String path : List.of(
                "/page/nothing.js",
                "/page/../CallServer.class",
                "/page/%2e%2e/CallServer.class",
                "/page//etc/passwd",
                "/lib/lit/../../../etc/passwd",
                "/lib/jackson/x.js",
                "/other")) {
            assertThat(get(path).statusCode()).as(path).isBetween(400, 404);
        }
    }

    @Test
    void answersAnUnknownAddressWithAPageAndProgramsInJson() throws Exception {
        start();
        for (String path : List.of("/other", "/calls/1/more", "/apiary", "/page/nothing.js", "/lib/jackson/x.js")) {
            HttpResponse<String> page = get(path);
            assertThat(page.statusCode()).as(path).isEqualTo(404);
            assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
            assertThat(page.body()).contains("There is no such page", "<a href=\"/\">");
        }
        for (String path : List.of("/api", "/api/v1/nothing", "/api/v1/calls/x")) {
            HttpResponse<String> json = get(path);
            assertThat(json.statusCode()).as(path).isEqualTo(404);
            assertThat(json.body()).startsWith("{\"error\":");
        }
    }

    @Test
    void sendsAFileOnlyWhenItChanged() throws Exception {
        start();
        HttpResponse<String> first = get("/lib/lit/index.js");
        String tag = first.headers().firstValue("ETag").orElse("");

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(get("/lib/lit/index.js", "If-None-Match", tag).statusCode()).isEqualTo(304);
    }

    @Test
    void answersToNamesOfLoopbackOnly() throws Exception {
        start();
        int port = server().uri().getPort();
        assertThat(raw("GET /health HTTP/1.1\r\nHost: localhost:" + port + "\r\nConnection: close\r\n\r\n"))
                .contains("200");
        assertThat(raw("GET /health HTTP/1.1\r\nHost: evil.example:" + port + "\r\nConnection: close\r\n\r\n"))
                .contains("421");
    }

    @Test
    void refusesChangesThatAnotherPageAskedFor() throws Exception {
        start();
        URI uploads = server().uri().resolve("/api/v1/uploads");
        HttpRequest.BodyPublisher bytes = HttpRequest.BodyPublishers.ofString("x");
        String own = "http://127.0.0.1:" + server().uri().getPort();

        assertThat(send(HttpRequest.newBuilder(uploads).POST(bytes)).statusCode())
                .isEqualTo(403);
        assertThat(send(HttpRequest.newBuilder(uploads).POST(bytes), "X-Offhook", "1", "Origin", "http://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(HttpRequest.newBuilder(uploads).POST(bytes), "X-Offhook", "1", "Origin", own)
                        .statusCode())
                .isEqualTo(202);
    }

    @Test
    void takesNoCaptureAboveTheLimit() throws Exception {
        start();
        URI uploads = server().uri().resolve("/api/v1/uploads");
        assertThat(send(
                                HttpRequest.newBuilder(uploads)
                                        .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[1001])),
                                "X-Offhook",
                                "1")
                        .statusCode())
                .isEqualTo(413);
        assertThat(get("/api/v1/uploads").body()).contains("\"uploads\":[]");
    }

    @Test
    void asksForAPasswordWhereOneIsSet() throws Exception {
        start("127.0.0.1", List.of(PasswordHash.of(PASSWORD)), null);
        String basic =
                "Basic " + Base64.getEncoder().encodeToString(("anyone:" + PASSWORD).getBytes(StandardCharsets.UTF_8));

        HttpResponse<String> refused = get("/api/v1/calls");
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate").orElse("")).startsWith("Basic");
        assertThat(get("/").statusCode()).isEqualTo(401);
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/api/v1/calls", "Authorization", basic).statusCode()).isEqualTo(200);
        assertThat(get("/api/v1/calls", "Authorization", "Bearer " + PASSWORD).statusCode())
                .isEqualTo(200);
        assertThat(get("/api/v1/calls", "Authorization", "Bearer wrong").statusCode())
                .isEqualTo(401);
        assertThat(get("/api/v1/calls", "Authorization", "Basic ***").statusCode())
                .isEqualTo(401);
    }

    @Test
    void listensBeyondThisMachineWithAPasswordOnly() throws Exception {
        start();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings(
                        new InetSocketAddress(InetAddress.getByName("0.0.0.0"), 0), List.of(), null, false, 1, "0"))
                .withMessageContaining("needs a password");
    }

    @Test
    void servesByHttps(@TempDir Path folder) throws Exception {
        Certificates.Pem pem = Certificates.selfSigned(folder, "page", "EC", "ip:127.0.0.1");
        TlsIdentity identity = TlsIdentity.read(pem.certificate(), pem.key());
        start("127.0.0.1", List.of(), identity);
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, new char[0]);
        trusted.setCertificateEntry("page", identity.chain().getFirst());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);

        try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            HttpRequest request =
                    HttpRequest.newBuilder(server().uri().resolve("/health")).build();
            assertThat(server().uri().getScheme()).isEqualTo("https");
            assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("up");
        }
    }

    @Test
    void answersOnAfterBrokenRequests() throws Exception {
        start();
        String header = "X: " + "y".repeat(100_000) + "\r\n";
        for (String request : List.of(
                "\r\n\r\n",
                "GET\r\n\r\n",
                "GET / HTTP/9.9\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n",
                "POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\nX-Offhook: 1\r\nContent-Length: 900\r\n\r\nshort",
                "POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\nX-Offhook: 1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003")) {
            assertThat(raw(request)).doesNotContain(" 200 ");
        }
        assertThat(get("/health").statusCode()).isEqualTo(200);
    }

    @Test
    void namesWhatIsWrongWithAParameter() throws Exception {
        start();
        for (String query : List.of(
                "limit=0",
                "limit=x",
                "offset=-1",
                "sort=nothing",
                "from=yesterday",
                "bad=maybe",
                "mos-below=low",
                "in=u9")) {
            HttpResponse<String> answer = get("/api/v1/calls?" + query);
            assertThat(answer.statusCode()).as(query).isBetween(400, 404);
            assertThat(answer.body()).startsWith("{\"error\":");
        }
        assertThat(get("/api/v1/calls/1").statusCode()).isEqualTo(404);
        assertThat(get("/api/v1/calls/x/messages").statusCode()).isEqualTo(404);
    }
}
