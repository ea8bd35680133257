package io.offhook.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.live.LanePlacement;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.store.CallWriter;
import io.offhook.store.WriterSettings;
import io.offhook.web.CallServer;
import io.offhook.web.ServerSettings;
import io.offhook.web.alert.AlertConfig;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The API gives packets and audio of calls of a live capture, while they run and afterwards. */
@Timeout(60)
class KeptOnDiskTest {
    private static final String SAMPLE = "../../samples/calls.pcap";

    /** In the middle of the first call. */
    private static final int PAUSE = 400;

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Exception> failures = new ArrayList<>();
    private ServedStore store;
    private KeptOnDisk kept;
    private CallServer server;
    private CallWriter writer;
    private FilledLive filling;
    private PausedCapture capture;
    private CompletableFuture<Void> watching;
    private int written;

    @BeforeEach
    void follow() throws Exception {
        AnalysisOptions defaults = AnalysisOptions.defaults();
        AnalysisOptions options = defaults.withMedia(defaults.media().withIntervals(true))
                .withLanes(2)
                .withKeptCalls(1000);
        store = ServedStore.open(folder.resolve("calls.duckdb").toString());
        kept = Objects.requireNonNull(KeptOnDisk.open("64Mi", null, store, options, null));
        ServedCalls calls = new ServedCalls(store);
        capture = new PausedCapture(CaptureFiles.open(List.of(SAMPLE), InputStream.nullInputStream()), PAUSE);
        server = CallServer.start(
                new ServerSettings(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        List.of(),
                        null,
                        true,
                        1 << 24,
                        "0"),
                calls,
                new DroppedCaptures(options),
                calls.metrics(),
                AlertConfig.NONE,
                failures::add);
        writer = CallWriter.start(store.store(), WriterSettings.standard());
        filling = new FilledLive(
                "sample", new MeasuredSource(capture), writer, calls.metrics(), LanePlacement.anywhere(), 2);
        filling.keeping(kept);
        calls.filledBy(filling);
        watching = CompletableFuture.runAsync(() -> watch(options));
    }

    private void watch(AnalysisOptions options) {
        try (CallWriter used = writer) {
            filling.end(Analysis.watchWith(
                    capture,
                    options.withListener(used.messages("sample")),
                    filling,
                    pipeline -> kept.packets().addTo(pipeline, false)));
        }
    }

    @AfterEach
    void end() throws Exception {
        capture.goOn();
        watching.join();
        client.close();
        server.close();
        kept.close();
        capture.close();
        store.close();
        assertThat(failures).isEmpty();
    }

    private HttpResponse<byte[]> get(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(server.uri().resolve(path)).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private List<Map<String, Object>> calls(String query) throws Exception {
        Map<String, Object> document = Json.object(new String(
                get("/api/v1/calls?limit=1000&sort=firstSeenAt" + query).body(), StandardCharsets.UTF_8));
        return Json.objects(document.get("calls"));
    }

    private List<String> packets(byte[] capture) throws Exception {
        Path file = Files.write(folder.resolve("call.pcapng"), capture);
        return packets(file);
    }

    private static List<String> packets(Path file) {
        List<String> found = new ArrayList<>();
        FrameBatch batch = new FrameBatch(1000);
        try (PacketSource source = CaptureFiles.open(List.of(file.toString()), InputStream.nullInputStream())) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    CRC32C sum = new CRC32C();
                    sum.update(batch.segmentOf(i)
                            .asSlice(batch.offset(i), batch.capturedLength(i))
                            .asByteBuffer());
                    found.add(batch.timestampNs(i) + " " + batch.wireLength(i) + " " + sum.getValue());
                }
            }
        }
        return found;
    }

    /** The packets of a call that the command writes. */
    private List<String> written(String callId) {
        Path file = folder.resolve("written-" + ++written + ".pcapng");
        Offhook.done("call", callId, SAMPLE, "-w", file.toString());
        return packets(file);
    }

    @Test
    void aCallThatGoesOnIsHeardAndItsPacketsAreThoseCapturedSoFar() throws Exception {
        capture.awaitPause();
        List<Map<String, Object>> running = List.of();
        while (running.stream().noneMatch(call -> Long.valueOf(2).equals(call.get("streams")))) {
            running = calls("&fields=summary");
        }
        Map<String, Object> call = running.stream()
                .filter(any -> Long.valueOf(2).equals(any.get("streams")))
                .findFirst()
                .orElseThrow();
        String path = "/api/v1/calls/" + call.get("id");
        List<String> expected = written(Json.text(call, "callId"));
        List<String> found = packets(get(path + "/packets").body());
        assertThat(found).hasSizeBetween(100, expected.size() - 1);
        assertThat(expected).startsWith(found.toArray(String[]::new));
        HttpResponse<byte[]> audio = get(path + "/audio");
        assertThat(audio.statusCode()).isEqualTo(200);
        assertThat(audio.body()).startsWith('R', 'I', 'F', 'F');
        assertThat(audio.body().length).isGreaterThan(20_000);
        assertThat(get(path + "/waveform").statusCode()).isEqualTo(200);
    }

    @Test
    void ofEachCallThatEndedExactlyThePacketsThatTheCommandWritesOfAFileAreThere() throws Exception {
        capture.goOn();
        watching.join();
        kept.close(); // they are read all the same
        List<Map<String, Object>> calls = calls("&fields=summary");
        assertThat(calls).hasSize(12);
        for (Map<String, Object> call : calls) {
            byte[] found = get("/api/v1/calls/" + call.get("id") + "/packets").body();
            assertThat(packets(found))
                    .as(Json.text(call, "callId"))
                    .isEqualTo(written(Json.text(call, "callId")))
                    .isNotEmpty();
        }
        assertThat(Files.isDirectory(folder.resolve("calls.duckdb.packets"))).isTrue();
        String metrics = new String(get("/metrics").body(), StandardCharsets.UTF_8);
        assertThat(metrics).contains("packets not kept, as the disk refused them\"} 0");
    }
}
