package io.offhook.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.traffic.TwoPoints;
import io.offhook.testkit.truth.Party;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Captures of one call at two points that are served together. */
@Timeout(120)
class CapturePointsTest {
    @TempDir
    private Path folder;

    private static Map<String, Object> points(ServedSample served, String call) throws Exception {
        while (true) {
            Map<String, Object> points = served.get("/api/v1/calls/" + call + "/points");
            if (!"reading".equals(points.get("state"))) {
                return points;
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static String call(ServedSample served) throws Exception {
        return Json.text(
                Json.objects(served.get("/api/v1/calls?fields=summary").get("calls"))
                        .getFirst(),
                "id");
    }

    @Test
    void showsLossAndDelayOfEachSegmentAsWhereDoes() throws Exception {
        Traffic traffic =
                new Traffic(7).call(call -> call.from("alice").to("bob").completed(Party.CALLER, 20_000));
        TwoPoints.Captures both = new TwoPoints(3)
                .clockOfB(250, 0)
                .lostBetween(Party.CALLER, packet -> packet < 500 && packet % 50 == 3)
                .lostMessage("BYE")
                .of(traffic.capture().frames());
        Path a = folder.resolve("a.pcap");
        Path b = folder.resolve("b.pcap");
        CaptureWriter.pcap().write(both.atA(), a);
        CaptureWriter.pcap().write(both.atB(), b);
        Map<String, Object> expected = Json.object(Offhook.done("where", "--format", "json", a.toString(), b.toString())
                .out());
        try (ServedSample served = ServedSample.of(a.toString(), b.toString())) {
            Map<String, Object> points = points(served, call(served));
            assertThat(points).containsEntry("state", "ready");
            assertThat(Json.objects(points.get("points")))
                    .extracting(point -> point.get("name"), point -> point.get("hasCall"))
                    .containsExactly(tuple(a.toString(), true), tuple(b.toString(), true));
            assertThat(points.get("streams")).isEqualTo(expected.get("streams"));
            List<Map<String, Object>> streams = Json.objects(points.get("streams"));
            assertThat(streams).hasSize(2);
            assertThat(Json.objects(streams.getFirst().get("segments")).getFirst())
                    .containsEntry("lost", 10L);
            assertThat(Json.objects(points.get("messages"))).isNotEmpty();
        }
    }

    @Test
    void saysThatOneCaptureHasNothingToBeComparedWith() throws Exception {
        try (ServedSample served = ServedSample.of("../../samples/calls.pcap")) {
            assertThat(points(served, call(served))).containsOnly(Map.entry("state", "none"));
            assertThat(served.response("/api/v1/calls/1/points").statusCode()).isEqualTo(404);
        }
    }
}
