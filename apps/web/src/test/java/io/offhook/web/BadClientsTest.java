package io.offhook.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.web.access.PasswordHash;
import io.offhook.web.alert.AlertConfig;
import io.offhook.web.metrics.CallMetrics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many clients that are broken, slow or hostile: nothing is let in, nothing fails, and others are answered meanwhile. */
@Timeout(120)
class BadClientsTest {
    private static final int WAIT_MS = 20_000;
    private static final String TOKEN = "right token";

    private final List<Exception> failures = new ArrayList<>();
    private final List<Socket> open = new ArrayList<>();
    private final CallServer server;

    BadClientsTest() throws Exception {
        EmptyCalls calls = new EmptyCalls();
        ServerSettings settings = new ServerSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                List.of(PasswordHash.of(TOKEN)),
                null,
                false,
                1000,
                "0");
        server = CallServer.start(settings, calls, calls, new CallMetrics(), AlertConfig.NONE, failures::add);
    }

    @AfterEach
    void nothingFailed() throws IOException {
        assertThat(ask(health()).toString()).startsWith("200");
        for (Socket socket : open) {
            socket.close();
        }
        server.close();
        assertThat(failures).isEmpty();
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket(server.uri().getHost(), server.uri().getPort());
        socket.setSoTimeout(WAIT_MS);
        open.add(socket);
        return socket;
    }

    private static String request(String line, String... headers) {
        return line + " HTTP/1.1\r\nHost: localhost\r\n" + String.join("", headers) + "\r\n";
    }

    private static String health() {
        return request("GET /health");
    }

    private static String bearer(String token) {
        return "Authorization: Bearer " + token + "\r\n";
    }

    /** Sends on a connection of its own; the status of the answer, 0 if the connection was closed without one. */
    private Integer ask(String request) throws IOException {
        try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
            socket.setSoTimeout(WAIT_MS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return status(
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1)));
        } catch (java.net.SocketException _) {
            return 0; // reset, since bytes were left that the server did not want
        }
    }

    private static int status(BufferedReader answer) throws IOException {
        String line = answer.readLine();
        return line == null || line.length() < 12 ? 0 : Integer.parseInt(line.substring(9, 12));
    }

    @Test
    void letsNobodyInWithWrongTokensByTheThousand() throws Exception {
        assertThat(ask(request("GET /api/v1/calls", bearer(TOKEN)))).isEqualTo(200);
        Random random = new Random(3);
        Map<Integer, Integer> answers = new TreeMap<>();
        Socket socket = connected();
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        for (int i = 0; i < 2000; i++) {
            String token = i % 7 == 0 ? "" : i % 5 == 0 ? TOKEN + ' ' + i : Long.toHexString(random.nextLong());
            String scheme = i % 3 == 0 ? "Bearer " : i % 3 == 1 ? "Basic " : "Digest ";
            socket.getOutputStream()
                    .write(request("GET /api/v1/calls", "Authorization: " + scheme + token + "\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            answers.merge(status(in), 1, Integer::sum);
            int length = 0;
            for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                length = line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")
                        ? Integer.parseInt(line.substring(15).strip())
                        : length;
            }
            in.skip(length);
        }
        assertThat(answers).containsOnlyKeys(401, 429);
        assertThat(answers.get(429)).isPositive();
        // whoever was let in before still is
        assertThat(ask(request("GET /api/v1/calls", bearer(TOKEN)))).isEqualTo(200);
    }

    @Test
    void answersOthersWhileManyClientsDoNotGoOn() throws Exception {
        for (int i = 0; i < 300; i++) {
            String whole =
                    request("POST /api/v1/uploads", bearer(TOKEN), "X-Offhook: 1\r\nContent-Length: 900\r\n") + "x";
            Socket socket = connected();
            socket.getOutputStream()
                    .write(whole.substring(0, i % (whole.length() + 1)).getBytes(StandardCharsets.ISO_8859_1));
        }
        assertThat(ask(request("GET /api/v1/calls", bearer(TOKEN)))).isEqualTo(200);
    }

    @Test
    void keepsNothingOfUploadsThatEndEarly() throws Exception {
        Map<Integer, Integer> answers = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            String body = "x".repeat(i % 40);
            answers.merge(
                    ask(request(
                                    "POST /api/v1/uploads?name=" + i,
                                    bearer(TOKEN),
                                    "X-Offhook: 1\r\n",
                                    i % 2 == 0 ? "Content-Length: 900\r\n" : "Transfer-Encoding: chunked\r\n")
                            + (i % 2 == 0 ? body : "100\r\n" + body)),
                    1,
                    Integer::sum);
        }
        assertThat(answers.keySet()).noneMatch(status -> status == 202 || status >= 500);
        assertThat(answerOf("/api/v1/uploads")).contains("\"uploads\":[]");
    }

    private String answerOf(String path) throws IOException {
        Socket socket = connected();
        socket.getOutputStream().write(request("GET " + path, bearer(TOKEN)).getBytes(StandardCharsets.ISO_8859_1));
        socket.shutdownOutput();
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void boundsThoseThatFollowTheCallsAndNeverRead() throws Exception {
        Map<Integer, Integer> answers = new TreeMap<>();
        for (int i = 0; i < 80; i++) {
            Socket socket = connected();
            socket.getOutputStream()
                    .write(request("GET /api/v1/events", bearer(TOKEN), "Accept: text/event-stream\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            answers.merge(
                    status(new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))),
                    1,
                    Integer::sum);
        }
        assertThat(answers).isEqualTo(Map.of(200, 64, 429, 16));
    }

    @Test
    void failsAtNoDamagedRequest() throws Exception {
        Random random = new Random(23);
        List<String> seeds = List.of(
                request(
                        "GET /api/v1/calls?limit=10&offset=5&sort=-from&text=%41%42&from=2026-11-27T00:00:00Z",
                        bearer(TOKEN)),
                request("GET /api/v1/calls/12345/messages?in=u1", bearer(TOKEN)),
                request("GET /page/page.js", bearer(TOKEN), "If-None-Match: \"x\"\r\n"),
                request("GET /lib/lit/index.js?a=b#c", bearer(TOKEN)),
                request("DELETE /api/v1/uploads/u1", bearer(TOKEN), "X-Offhook: 1\r\nOrigin: http://localhost\r\n"),
                request("POST /api/v1/uploads?name=%00%ff", bearer(TOKEN), "X-Offhook: 1\r\nContent-Length: 3\r\n")
                        + "abc",
                request("GET /api/v1/totals?buckets=60&to=1795000000.5", bearer(TOKEN)),
                request("HEAD /api/v1/streams?mos-below=3.5", bearer(TOKEN)));
        Map<Integer, Integer> answers = new TreeMap<>();
        for (int i = 0; i < 1500; i++) {
            StringBuilder request = new StringBuilder(seeds.get(random.nextInt(seeds.size())));
            for (int change = random.nextInt(5); change > 0; change--) {
                int at = random.nextInt(request.length());
                switch (random.nextInt(3)) {
                    case 0 -> request.setCharAt(at, (char) random.nextInt(256));
                    case 1 -> request.insert(at, "%" + Integer.toHexString(random.nextInt(4096)));
                    default -> request.delete(at, Math.min(request.length(), at + random.nextInt(20)));
                }
                if (request.isEmpty()) {
                    break;
                }
            }
            answers.merge(ask(request.toString()), 1, Integer::sum);
        }
        assertThat(answers.keySet()).allMatch(status -> status < 500);
        assertThat(answers).containsKeys(200, 400, 401, 404);
    }
}
