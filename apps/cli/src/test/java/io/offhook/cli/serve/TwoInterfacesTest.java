package io.offhook.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.Json;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code offhook serve} on both sides of a router that drops packets. */
@EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(180)
class TwoInterfacesTest {
    private static final String PAGE = "http://127.0.0.1:8080/api/v1/calls";
    private static final int PACKETS = 1000;

    @AutoClose
    private final CaptureNetwork network = new CaptureNetwork();

    @TempDir
    private Path folder;

    /** What asks the server, in its network. */
    private record Api(Process process, BufferedReader answers) {
        static Api in(CaptureNetwork network) throws Exception {
            Process process = network.talking(Fetch.class);
            return new Api(process, process.inputReader(StandardCharsets.UTF_8));
        }

        Map<String, Object> get(String path) throws Exception {
            process.getOutputStream().write((PAGE + path + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            return Json.object(answers.readLine());
        }

        List<Map<String, Object>> calls() throws Exception {
            return Json.objects(get("?fields=summary").get("calls"));
        }
    }

    @Test
    void findsThePacketsThatTheRouterDropped() throws Exception {
        network.ip("link", "add", "inner", "type", "veth", "peer", "name", "outer");
        network.ip("link", "set", "inner", "up");
        network.ip("link", "set", "outer", "up");
        Path file = folder.resolve("call.pcap");
        CaptureWriter.pcap()
                .write(
                        new Traffic(7)
                                .call(call -> call.from("alice").to("bob").completed(Party.CALLER, 20 * PACKETS))
                                .capture()
                                .frames(),
                        file);
        network.java(DroppingRouter.class, CaptureNetwork.RIGHT, "inner").awaitError("routing");
        CaptureNetwork.Running serve = network.offhook(
                        "serve", "-i", CaptureNetwork.RIGHT, "-i", "outer", "--listen", "127.0.0.1:8080")
                .awaitError("Ctrl-C ends it");
        Api api = Api.in(network);
        network.sender(file).send();

        Map<String, Object> points = Map.of();
        while (!isComplete(points)) {
            LockSupport.parkNanos(20_000_000);
            List<Map<String, Object>> calls = api.calls();
            points = calls.isEmpty() ? points : api.get("/" + calls.getFirst().get("id") + "/points");
        }
        assertThat(Json.objects(points.get("points")))
                .extracting(point -> point.get("name"), point -> point.get("hasCall"))
                .containsExactly(tuple(CaptureNetwork.RIGHT, true), tuple("outer", true));
        List<Map<String, Object>> streams = Json.objects(points.get("streams"));
        assertThat(streams).extracting(way -> way.get("from")).containsExactly("caller", "callee");
        assertThat(segments(streams.getFirst()))
                .extracting(
                        segment -> segment.get("from"), segment -> segment.get("to"), segment -> segment.get("lost"))
                .containsExactly(tuple("A", "B", (long) DroppingRouter.MOST / DroppingRouter.EACH));
        assertThat(segments(streams.get(1)))
                .extracting(segment -> segment.get("lost"))
                .containsExactly(0L);
        while (!"right, outer"
                .equals(api.calls().getFirst().get("origin"))) { // written with the next figures of a call that goes on
            LockSupport.parkNanos(20_000_000);
        }
        assertThat(serve.signal("INT").code()).isZero();
    }

    @Test
    void showsTheKeysThatArePressedInsideSrtp() throws Exception {
        CaptureNetwork.Running serve = network.offhook(
                        "serve", "-i", CaptureNetwork.RIGHT, "--listen", "127.0.0.1:8080")
                .awaitError("Ctrl-C ends it");
        Api api = Api.in(network);
        network.sender(Path.of("../../voip/decrypt/src/test/resources/decrypt/dtmf.pcap"))
                .send();
        List<Object> keys = List.of();
        while (keys.size() < 3) {
            LockSupport.parkNanos(20_000_000);
            List<Map<String, Object>> calls = Json.objects(api.get("").get("calls"));
            if (!calls.isEmpty()) {
                keys = Json.objects(calls.getFirst().get("keys")).stream()
                        .map(key -> key.get("side") + " " + key.get("key"))
                        .map(Object.class::cast)
                        .toList();
            }
        }
        assertThat(keys).containsExactly("caller 1", "caller 2", "caller #");
        assertThat(serve.signal("INT").code()).isZero();
    }

    /** Whether all packets of both streams are there that are to come. */
    private static boolean isComplete(Map<String, Object> points) {
        long passed = PACKETS - DroppingRouter.MOST / DroppingRouter.EACH;
        List<Map<String, Object>> streams = Json.objects(points.getOrDefault("streams", List.of()));
        return streams.size() == 2 && matched(streams.getFirst()) >= passed && matched(streams.getLast()) >= PACKETS;
    }

    private static long matched(Map<String, Object> way) {
        return segments(way).stream()
                .map(segment -> (Long) segment.get("matched"))
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .sum();
    }

    private static List<Map<String, Object>> segments(Map<String, Object> way) {
        return Json.objects(way.get("segments"));
    }
}
