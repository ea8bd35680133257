package io.offhook.cli.threads;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.linux.CpuAffinity;
import io.offhook.linux.lanes.PublishedLanes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code offhook threads} of live commands, which publish their lanes. */
@EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(180)
class PublishedLanesTest {
    private static final String CALLS = "../../samples/calls.pcap";

    @AutoClose
    private final CaptureNetwork network = new CaptureNetwork();

    private static Map<String, Object> watched(long pid, String time) {
        return Json.object(
                Offhook.done("threads", Long.toString(pid), "--for", time, "--every", "0.25", "--format", "json")
                        .out());
    }

    private static List<Map<String, Object>> lanes(Map<String, Object> watched) {
        return Json.objects(watched.get("lanes"));
    }

    private static long sum(List<Map<String, Object>> lanes, String field) {
        return lanes.stream().mapToLong(lane -> number(lane, field)).sum();
    }

    private static long number(Map<String, Object> object, String field) {
        return ((Number) requireNonNull(object.get(field))).longValue();
    }

    private static Map<String, Object> lane(List<Map<String, Object>> lanes, String name) {
        return lanes.stream()
                .filter(lane -> name.equals(lane.get("name")))
                .findFirst()
                .orElseThrow();
    }

    private static List<Map<String, Object>> ofCalls(List<Map<String, Object>> lanes) {
        return lanes.stream()
                .filter(lane -> Json.text(lane, "name").startsWith("calls-"))
                .toList();
    }

    private static long packets() {
        Map<String, Object> info =
                Json.object(Offhook.done("info", CALLS, "--format", "json").out());
        return number(Json.asObject(Json.objects(info.get("files")).getFirst()), "packets");
    }

    private void replay() throws Exception {
        CaptureNetwork.Running replay =
                network.offhookLeft("replay", CALLS, "-i", CaptureNetwork.LEFT, "--multiply", "10");
        assertThat(replay.code()).as(replay.err()).isZero();
    }

    @Test
    void seesTheLanesOfACommandThatFollowsCalls() throws Exception {
        CaptureNetwork.Running calls = network.offhook(
                        "calls", "-i", CaptureNetwork.RIGHT, "--lanes", "2", "--pin", "--format", "json")
                .awaitError("Ctrl-C ends it");
        long pid = calls.process().pid();
        long sent = packets();
        replay();
        List<Map<String, Object>> lanes = lanes(watched(pid, "2s"));
        while (sum(lanes, "frames") < sent) {
            lanes = lanes(watched(pid, "0.5"));
        }
        int[] processors = CpuAffinity.processors();
        assertThat(lanes).extracting(lane -> lane.get("name")).containsExactlyInAnyOrder("calls-0", "calls-1");
        for (int i = 0; i < 2; i++) {
            Map<String, Object> lane = lane(lanes, "calls-" + i);
            long pinned = processors[i % processors.length];
            assertThat(lane).containsEntry("pinnedTo", pinned).containsEntry("processor", pinned);
            assertThat(Json.objects(lane.get("processors")))
                    .singleElement()
                    .satisfies(seen -> assertThat(seen).containsEntry("processor", pinned));
            // nothing comes any more: both wait
            assertThat(((Number) requireNonNull(lane.get("duty"))).doubleValue())
                    .isBetween(0.0, 0.5);
            assertThat(lane.get("state")).isIn("waiting", "working");
            assertThat(number(lane, "drops")).isZero();
        }
        assertThat(sum(lanes, "rounds")).isBetween(1L, sum(lanes, "frames"));
        assertThat(lanes).anySatisfy(lane -> {
            Map<String, Object> queue = Json.asObject(lane.get("queue"));
            assertThat(queue).containsEntry("of", "ring blocks");
            assertThat(number(queue, "most")).isBetween(1L, number(queue, "room"));
        });
        String table = Offhook.done("threads", Long.toString(pid), "--for", "0.2", "--every", "0.1")
                .out();
        assertThat(table).contains("Lanes, by what they publish", "calls-0", "calls-1", "Duty %");
        // others may follow calls on this machine, too
        Offhook.Result named = Offhook.run("threads", "calls", "--for", "0.2", "--every", "0.1");
        assertThat(named.out() + named.err()).contains(Long.toString(pid));

        calls.signal("INT");
        assertThat(calls.code()).as(calls.err()).isZero();
        String last = calls.out().strip().lines().reduce("", (before, line) -> line);
        Map<String, Object> counts = Json.objects(
                        Json.asObject(Json.object(last).get("capture")).get("interfaces"))
                .getFirst();
        assertThat(number(counts, "delivered")).isGreaterThanOrEqualTo(sum(lanes, "frames"));
        assertThat(PublishedLanes.of(pid)).isEqualTo(PublishedLanes.NONE);
        assertThat(PublishedLanes.named("calls")).doesNotContain(pid);
    }

    @Test
    void recordsThemAndPlaysThem(@TempDir Path folder) throws Exception {
        CaptureNetwork.Running calls = network.offhook("calls", "-i", CaptureNetwork.RIGHT, "--format", "json")
                .awaitError("Ctrl-C ends it");
        String recording = folder.resolve("calls.threads").toString();
        long sent = packets();
        FutureTask<Offhook.Result> recorder = new FutureTask<>(() ->
                Offhook.run("threads", Long.toString(calls.process().pid()), "--every", "0.25", "--record", recording));
        Thread.ofPlatform().daemon().start(recorder);
        replay();
        List<Map<String, Object>> lanes = List.of();
        while (sum(lanes, "frames") < sent && !recorder.isDone()) {
            Offhook.Result played = Offhook.run("threads", "play", recording, "--format", "json");
            lanes = played.out().isEmpty() ? List.of() : lanes(Json.object(played.out()));
        }
        calls.signal("INT");
        assertThat(calls.code()).as(calls.err()).isZero();
        assertThat(recorder.get().out()).contains("Recorded to");
        Map<String, Object> whole = Json.object(
                Offhook.done("threads", "play", recording, "--format", "json").out());
        // what it said of itself stays when it has ended
        Map<String, Object> lane = lane(lanes(whole), "calls-0");
        assertThat(sum(lanes(whole), "frames")).isGreaterThanOrEqualTo(sent);
        assertThat(((Number) requireNonNull(lane.get("duty"))).doubleValue()).isBetween(0.0, 1.0);
        assertThat(Offhook.done("threads", "play", recording).out()).contains("Lanes, by what they publish", "Peak %");
    }

    @Test
    void seesTheReaderOfEachInterface() throws Exception {
        CaptureNetwork.Running calls = network.offhook(
                        "calls", "-i", CaptureNetwork.RIGHT, "-i", "lo", "--format", "json")
                .awaitError("Ctrl-C ends it");
        long pid = calls.process().pid();
        long sent = packets();
        replay();
        List<Map<String, Object>> lanes = lanes(watched(pid, "0.5"));
        while (sum(ofCalls(lanes), "frames") < sent) { // whichever lane has its turn takes what is merged
            lanes = lanes(watched(pid, "0.5"));
        }
        Map<String, Object> reader = lane(lanes, "reader-" + CaptureNetwork.RIGHT);
        assertThat(number(reader, "frames")).isGreaterThanOrEqualTo(sent);
        assertThat(reader).containsEntry("pinnedTo", null);
        assertThat(ofCalls(lanes))
                .anySatisfy(
                        lane -> assertThat(Json.asObject(lane.get("queue"))).containsEntry("of", "batches to merge"));
        assertThat(lane(lanes, "reader-lo")).isNotNull();
        calls.signal("INT");
        assertThat(calls.code()).as(calls.err()).isZero();
    }

    @Test
    void seesTheQueueOfTheLaneThatWrites(@TempDir Path folder) throws Exception {
        CaptureNetwork.Running capture = network.capture(
                "-i", CaptureNetwork.RIGHT, "-w", folder.resolve("out.pcapng").toString());
        long pid = capture.process().pid();
        long sent = packets();
        replay();
        List<Map<String, Object>> lanes = new ArrayList<>();
        while (lanes.isEmpty() || number(lane(lanes, "writer"), "frames") < sent) {
            lanes = lanes(watched(pid, "0.5"));
        }
        assertThat(number(lane(lanes, "capture"), "frames")).isGreaterThanOrEqualTo(sent);
        Map<String, Object> queue = Json.asObject(lane(lanes, "writer").get("queue"));
        assertThat(queue).containsEntry("of", "bytes to write").containsEntry("room", 64L << 20);
        assertThat(number(lane(lanes, "writer"), "drops")).isZero();
        capture.signal("INT");
        assertThat(capture.code()).as(capture.err()).isZero();
        assertThat(PublishedLanes.of(pid)).isEqualTo(PublishedLanes.NONE);
    }

    @Test
    void hasNoneOfAProcessThatPublishesNone() {
        assertThat(lanes(watched(ProcessHandle.current().pid(), "0.3"))).isEmpty();
    }
}
