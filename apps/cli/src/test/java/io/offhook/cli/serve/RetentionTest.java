package io.offhook.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Main;
import io.offhook.cli.Offhook;
import io.offhook.testkit.peers.LoopbackPorts;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code offhook serve} with {@code retention} in its configuration, from the database to the API; and what agents are refused. */
@Timeout(600)
class RetentionTest {
    private static final Path SAMPLE = Path.of("../../samples/calls.pcap");
    private static final Pattern PAGE = Pattern.compile("The page is at (\\S+)");
    private static final String KEY = "right";

    /** What an agent sends of the sample. */
    private static final int SENT = 103;

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    /** A server that listens to agents, until {@link #close} sends it a packet. */
    private final class Running implements AutoCloseable {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ByteArrayOutputStream err = new ByteArrayOutputStream();
        private final String agents = "tcp:127.0.0.1:" + LoopbackPorts.free();
        private final Thread server;

        Running(Path database, String config) throws Exception {
            Path file = Files.writeString(folder.resolve("serve.yaml"), config);
            server = Thread.ofPlatform()
                    .daemon()
                    .start(() -> Main.run(
                            new String[] {
                                "serve",
                                "--hep",
                                agents,
                                "--hep-key",
                                KEY,
                                "--db",
                                database.toString(),
                                "--config",
                                file.toString(),
                                "--listen",
                                "127.0.0.1:0",
                                "--no-rehearsal",
                                "--count",
                                "1"
                            },
                            new Offhook().terminal(out, err)));
        }

        URI page() {
            while (true) {
                Matcher page = PAGE.matcher(out.toString(StandardCharsets.UTF_8));
                if (page.find()) {
                    return URI.create(page.group(1));
                }
                assertThat(server.isAlive())
                        .as(() -> err.toString(StandardCharsets.UTF_8))
                        .isTrue();
                pause();
            }
        }

        HttpResponse<String> get(String path) throws Exception {
            return client.send(
                    HttpRequest.newBuilder(page().resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
        }

        /** Waits until an answer is as it must become. */
        String await(String path, Predicate<String> isSo) throws Exception {
            while (true) {
                HttpResponse<String> answer = get(path);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                if (isSo.test(answer.body())) {
                    return answer.body();
                }
                pause();
            }
        }

        @Override
        public void close() {
            Offhook.run("calls", SAMPLE.toString(), "--hep-out", agents, "--hep-key", KEY);
            try {
                server.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void pause() {
        LockSupport.parkNanos(20_000_000);
    }

    /** The sample, as if captured at noon (UTC) three days ago. */
    private Path old() throws Exception {
        byte[] capture = Files.readAllBytes(SAMPLE);
        ByteBuffer bytes = ByteBuffer.wrap(capture).order(ByteOrder.LITTLE_ENDIAN);
        long noon = Instant.now()
                        .truncatedTo(ChronoUnit.DAYS)
                        .minus(3, ChronoUnit.DAYS)
                        .getEpochSecond()
                + 43_200;
        long shift = noon - Integer.toUnsignedLong(bytes.getInt(24));
        for (int at = 24; at < capture.length; at += 16 + bytes.getInt(at + 8)) {
            bytes.putInt(at, (int) (Integer.toUnsignedLong(bytes.getInt(at)) + shift));
        }
        return Files.write(folder.resolve("old.pcap"), capture);
    }

    @Test
    void oldDaysMoveToFilesLoseTheirTextsAndGo() throws Exception {
        Path database = folder.resolve("calls.duckdb");
        Offhook.done("calls", old().toString(), "--db", database.toString());
        Path moved = folder.resolve("calls.duckdb.parquet").resolve("calls");
        try (Running serve = new Running(database, "retention: {tables: 1h, texts: 1h}")) {
            while (!Files.isDirectory(moved)) {
                pause();
            }
            List<Map<String, Object>> calls =
                    Json.objects(Json.object(serve.get("/api/v1/calls?fields=summary&sort=firstSeenAt")
                                    .body())
                            .get("calls"));
            assertThat(calls).hasSize(12);
            String path = "/api/v1/calls/" + calls.getFirst().get("id");
            Map<String, Object> call = Json.object(serve.await(path, answer -> answer.contains("\"gone\":[")));
            assertThat(call.get("callId")).isEqualTo(calls.getFirst().get("callId"));
            assertThat(call.get("outcome")).isEqualTo(calls.getFirst().get("outcome"));
            assertThat(Json.objects(call.get("dialogs"))).isNotEmpty();
            assertThat(Json.objects(call.get("streams")))
                    .hasSize(Integer.parseInt(String.valueOf(calls.getFirst().get("streams"))));
            serve.await(path, answer -> answer.contains("the texts of its messages"));
            List<Map<String, Object>> messages = Json.objects(
                    Json.object(serve.get(path + "/messages").body()).get("messages"));
            assertThat(messages).isNotEmpty().allMatch(message -> message.get("text") == null);
        }
        try (Running serve = new Running(database, "retention: {tables: 1h, keep: 24h}")) {
            // what the agent that ended the first run sent is of today
            serve.await(
                    "/api/v1/calls?fields=summary&to=" + (Instant.now().getEpochSecond() - 86_400),
                    answer -> answer.contains("\"total\":0,"));
        }
    }

    @Test
    void packetsOfAgentsWithAWrongKeyAreCounted() throws Exception {
        try (Running serve = new Running(folder.resolve("other.duckdb"), "{}")) {
            serve.page();
            Offhook.run("calls", SAMPLE.toString(), "--hep-out", serve.agents, "--hep-key", "wrong");
            serve.await("/api/v1/system", answer -> answer.contains("\"refusedWrongKey\":" + SENT + ','));
            assertThat(serve.get("/metrics").body())
                    .contains("offhook_capture_refused_packets_total{input=\"HEP " + serve.agents
                            + "\",cause=\"wrong key\"} " + SENT)
                    .contains("cause=\"malformed\"} 0");
        }
    }
}
