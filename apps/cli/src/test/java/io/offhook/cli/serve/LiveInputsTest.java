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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several inputs of one {@code offhook serve}: ports of agents, and a file beside them. */
@Timeout(120)
class LiveInputsTest {
    private static final String SAMPLE = "../../samples/calls.pcap";
    private static final Pattern PAGE = Pattern.compile("The page is at (\\S+)");

    /** What an agent sends of the sample: SIP and the figures of streams. */
    private static final int SENT = 103;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final HttpClient client = HttpClient.newHttpClient();

    private URI page(Thread server) {
        while (true) {
            Matcher page = PAGE.matcher(out.toString(StandardCharsets.UTF_8));
            if (page.find()) {
                return URI.create(page.group(1));
            }
            assertThat(server.isAlive())
                    .as(() -> err.toString(StandardCharsets.UTF_8))
                    .isTrue();
            LockSupport.parkNanos(10_000_000);
        }
    }

    private String get(URI page, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(page.resolve(path)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private List<Map<String, Object>> inputs(URI page) throws Exception {
        return Json.objects(Json.object(get(page, "/api/v1/system")).get("inputs"));
    }

    @Test
    void eachIsCountedApartAndTheCallsOfAllAreShown() throws Exception {
        String udp = "udp:127.0.0.1:" + LoopbackPorts.free();
        String tcp = "tcp:127.0.0.1:" + LoopbackPorts.free();
        Thread server = Thread.ofPlatform()
                .daemon()
                .start(() -> Main.run(
                        new String[] {
                            "serve",
                            "--hep",
                            udp,
                            "--hep",
                            tcp,
                            SAMPLE,
                            "--listen",
                            "127.0.0.1:0",
                            "--no-rehearsal",
                            "--count",
                            String.valueOf(SENT + 1),
                            "--duration",
                            "60"
                        },
                        new Offhook().terminal(out, err)));
        try {
            URI page = page(server);
            assertThat(Offhook.run("calls", SAMPLE, "--hep-out", udp).code()).isZero();
            while (!"done".equals(inputs(page).get(2).get("state"))
                    || !Long.valueOf(SENT).equals(inputs(page).get(0).get("packets"))) {
                LockSupport.parkNanos(10_000_000);
            }
            List<Map<String, Object>> inputs = inputs(page);
            assertThat(inputs)
                    .extracting(input -> input.get("name"))
                    .containsExactly("HEP " + udp, "HEP " + tcp, SAMPLE);
            assertThat(inputs).extracting(input -> input.get("kind")).containsExactly("hep", "hep", "file");
            assertThat(inputs).extracting(input -> input.get("packets")).containsExactly((long) SENT, 0L, 4501L);
            assertThat(inputs.get(0)).containsEntry("kernelDrops", 0L).containsEntry("ringDrops", 0L);
            assertThat((Long) inputs.get(0).get("bytes")).isGreaterThan(SENT * 100L);
            assertThat(get(page, "/metrics"))
                    .contains("offhook_capture_packets_total{input=\"HEP " + udp + "\"} " + SENT)
                    .contains("offhook_capture_packets_total{input=\"HEP " + tcp + "\"} 0")
                    .contains("offhook_capture_packets_total{input=\"" + SAMPLE + "\"} 4501")
                    .contains("offhook_capture_dropped_packets_total{input=\"HEP " + tcp + "\",cause=\"kernel\"} 0");
            assertThat(Json.object(get(page, "/api/v1/calls?limit=1"))).containsEntry("total", 12L);
        } finally {
            Offhook.run("calls", SAMPLE, "--hep-out", tcp); // beyond the count, so that it ends
            server.join();
            client.close();
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("Capturing from HEP " + udp + ", HEP " + tcp);
    }
}
