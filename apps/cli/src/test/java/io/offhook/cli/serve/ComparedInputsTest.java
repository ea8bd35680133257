package io.offhook.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.inputs.SeenInputs;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LanePlacement;
import io.offhook.store.CallWriter;
import io.offhook.store.WriterSettings;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.traffic.TwoPoints;
import io.offhook.testkit.truth.Party;
import io.offhook.web.CallServer;
import io.offhook.web.ServerSettings;
import io.offhook.web.alert.AlertConfig;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The inputs of a live run, compared with each other: two captures of the same traffic that arrive on two interfaces. */
@Timeout(120)
class ComparedInputsTest {
    private static final List<String> NAMES = List.of("eth0", "eth1");
    private static final int TALK_MS = 20_000;

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Exception> failures = new ArrayList<>();

    private List<String> files(List<Frame> atA, List<Frame> atB) throws Exception {
        Path a = folder.resolve("a.pcap");
        Path b = folder.resolve("b.pcap");
        CaptureWriter.pcap().write(atA, a);
        CaptureWriter.pcap().write(atB, b);
        return List.of(a.toString(), b.toString());
    }

    private static Terminal terminal() {
        return new Offhook().terminal(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
    }

    private static List<Frame> call() {
        return new Traffic(7)
                .call(call -> call.from("alice").to("bob").completed(Party.CALLER, TALK_MS))
                .capture()
                .frames();
    }

    /** What the API says of the first call, asked for once all was captured. */
    private Map<String, Object> asked(List<String> files, boolean isOfHeaders, String path) throws Exception {
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(2).withKeptCalls(1000);
        try (ServedStore store = ServedStore.open(folder.resolve("calls.duckdb").toString());
                KeptOnDisk kept = Objects.requireNonNull(
                        isOfHeaders
                                ? KeptOnDisk.ofHeaders(store, options, null, terminal())
                                : KeptOnDisk.open("64Mi", null, store, options, null));
                MeasuredSource source = new MeasuredSource(new FilesAtInputs(files, NAMES))) {
            ServedCalls calls = new ServedCalls(store);
            try (CallServer server = start(calls, options)) {
                try (CallWriter writer = CallWriter.start(store.store(), WriterSettings.standard())) {
                    FilledLive filling =
                            new FilledLive("eth0, eth1", source, writer, calls.metrics(), LanePlacement.anywhere(), 2);
                    SeenInputs seen = new SeenInputs();
                    filling.seenAt(seen);
                    filling.comparing(kept, true);
                    calls.filledBy(filling);
                    filling.end(Analysis.watchWith(
                            source, options.withListener(writer.messages("any")), filling, pipeline -> {
                                seen.addTo(pipeline);
                                kept.addTo(pipeline, NAMES);
                            }));
                }
                kept.packets().close(); // they are read all the same
                List<Map<String, Object>> all =
                        Json.objects(get(server, "/api/v1/calls?fields=summary").get("calls"));
                assertThat(all).hasSize(1);
                return get(server, "/api/v1/calls/" + Json.text(all.getFirst(), "id") + path);
            }
        } finally {
            client.close();
            assertThat(failures).isEmpty();
        }
    }

    private CallServer start(ServedCalls calls, AnalysisOptions options) throws Exception {
        ServerSettings settings = new ServerSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), List.of(), null, true, 1 << 24, "0");
        return CallServer.start(
                settings, calls, new DroppedCaptures(options), calls.metrics(), AlertConfig.NONE, failures::add);
    }

    private Map<String, Object> get(CallServer server, String path) throws Exception {
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(server.uri().resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.object(response.body());
    }

    /** Without the number of the frame, which counts those that were kept of the call. */
    private static List<Map<String, Object>> messages(Map<String, Object> comparison) {
        List<Map<String, Object>> messages = Json.objects(comparison.get("messages"));
        messages.forEach(message -> message.remove("frame"));
        return messages;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lossAndDelayOfEachSegmentAreThoseThatWhereFindsInFiles(boolean isOfHeaders) throws Exception {
        TwoPoints.Captures both = new TwoPoints(3)
                .lostBetween(Party.CALLER, packet -> packet < 500 && packet % 50 == 3)
                .lostMessage("BYE", 1)
                .of(call());
        List<String> files = files(both.atA(), both.atB());
        Map<String, Object> expected =
                Json.object(Offhook.done("where", "--same-clock", "--format", "json", files.get(0), files.get(1))
                        .out());
        Map<String, Object> points = asked(files, isOfHeaders, "/points");
        assertThat(points).containsEntry("state", "ready");
        assertThat(Json.objects(points.get("points")))
                .extracting(point -> point.get("point"), point -> point.get("name"), point -> point.get("hasCall"))
                .containsExactly(tuple("A", "eth0", true), tuple("B", "eth1", true));
        List<Map<String, Object>> streams = Json.objects(points.get("streams"));
        assertThat(streams).hasSize(2);
        assertThat(streams)
                .extracting(way -> way.get("segments"))
                .isEqualTo(Json.objects(expected.get("streams")).stream()
                        .map(way -> way.get("segments"))
                        .toList());
        Map<String, Object> segment =
                Json.objects(streams.getFirst().get("segments")).getFirst();
        assertThat(segment).containsEntry("from", "A").containsEntry("to", "B").containsEntry("lost", 10L);
        assertThat((Double) Json.asObject(segment.get("delay")).get("medianMs")).isBetween(4.0, 5.0);
        assertThat(messages(points)).isEqualTo(messages(expected)).hasSize(1);
    }

    @Test
    void aStreamThatStopsArrivingIsLostToItsEnd() throws Exception {
        // nothing more comes to the second input, which goes on capturing all the same
        TwoPoints.Captures both = new TwoPoints(3).capturedAtB(0, 8_000).of(call());
        Map<String, Object> points = asked(files(both.atA(), both.atB()), true, "/points");
        List<Map<String, Object>> streams = Json.objects(points.get("streams"));
        Map<String, Object> fromCaller =
                Json.objects(streams.getFirst().get("segments")).getFirst();
        assertThat((Long) fromCaller.get("present")).isGreaterThan(900);
        assertThat((Long) fromCaller.get("lost")).isBetween(500L, 700L);
    }

    @Test
    void aCallIsOfTheInputThatItWasSeenAt() throws Exception {
        List<Frame> elsewhere = new Traffic(8).otherSip(2).capture().frames();
        Map<String, Object> call = asked(files(elsewhere, call()), true, "");
        assertThat(call).containsEntry("origin", "eth1");
        assertThat(String.valueOf(call.get("audioMissing"))).contains("offhook serve --keep-packets");
    }

    @Test
    void aCallIsOfEachInputThatItWasSeenAt() throws Exception {
        TwoPoints.Captures both = new TwoPoints(3).of(call());
        assertThat(asked(files(both.atA(), both.atB()), true, "")).containsEntry("origin", "eth0, eth1");
    }

    @Test
    void aCallOfOneInputHasNothingToBeComparedWith() throws Exception {
        List<Frame> elsewhere = new Traffic(8).otherSip(2).capture().frames();
        Map<String, Object> points = asked(files(elsewhere, call()), true, "/points");
        assertThat(points).containsEntry("state", "ready");
        assertThat(Json.objects(points.get("points")))
                .extracting(point -> point.get("name"), point -> point.get("hasCall"))
                .containsExactly(tuple("eth0", false), tuple("eth1", true));
        assertThat(Json.objects(points.get("streams"))).isEmpty();
    }
}
