package io.offhook.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.linux.lanes.LaneReport;
import io.offhook.monitor.Deadlock;
import io.offhook.monitor.JavaLock;
import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaThread;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.LaneUse;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadProfile;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import io.offhook.monitor.recording.RecordedLook;
import io.offhook.monitor.recording.RecordedProcess;
import io.offhook.monitor.recording.RecordingEnd;
import io.offhook.monitor.recording.RecordingWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks, lanes, hot methods and allocation of a recording, played, exported and compared. */
class PlayedDetailsTest {
    private static final long SECOND = 1_000_000_000L;
    /** 2026-11-21, 14:00 UTC. */
    private static final long BEGAN = 1_795_269_600L * SECOND;

    private static final ThreadUse USE = new ThreadUse(SECOND, 100_000_000, 0, 0, 10, 2, 0);

    @TempDir
    private Path folder;

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    /**
     * 30 seconds: a thread waits for a lock from the 11th to the 20th, another is a lane that works for so much of its time, and in
     * the 25th for twice as much.
     */
    private String record(String name, int dutyPercent) throws IOException {
        List<ThreadRow> rows = List.of(
                new ThreadRow(1, "waiter", 'S', 0, USE, USE, USE), new ThreadRow(2, "lane", 'S', 1, USE, USE, USE));
        try (RecordingWriter writer = RecordingWriter.create(
                folder.resolve(name), new RecordedProcess(4711, "java Proxy", BEGAN, SECOND), 1 << 25)) {
            long busy = 0;
            for (int i = 1; i <= 30; i++) {
                long busyMs = dutyPercent * (i == 25 ? 20L : 10L);
                busy += busyMs;
                writer.add(new RecordedLook(
                        BEGAN + i * SECOND,
                        0,
                        rows,
                        inJava(i),
                        List.of(lane(i, busy, busyMs)),
                        0,
                        Map.of(1, profile(i))));
            }
            writer.end(RecordingEnd.STOPPED);
        }
        return file(name);
    }

    private static JavaLook inJava(int second) {
        StateTimes parked = new StateTimes(0, 0, 0, SECOND, 0);
        List<JavaLock> locks = second <= 10 || second > 20
                ? List.of()
                : List.of(
                        new JavaLock("org.example.Pool@" + Integer.toHexString(second), "a holder", List.of("waiter")));
        List<Deadlock> deadlocks = second < 30
                ? List.of()
                : List.of(new Deadlock(
                        List.of(new Deadlock.Wait("one", "A@1", "two"), new Deadlock.Wait("two", "B@2", "one"))));
        return new JavaLook(
                Map.of(1, new JavaThread(1, "waiter", null, parked, parked, null)),
                Map.of(),
                locks,
                deadlocks,
                List.of(),
                null);
    }

    private static LaneRow lane(int second, long busyMs, long lastBusyMs) {
        LaneUse last = new LaneUse(
                SECOND, lastBusyMs * 1_000_000, (1000 - lastBusyMs) * 1_000_000, 5, 100, second == 25 ? 1 : 0, 2);
        LaneReport report = new LaneReport(
                new LaneReport.Identity("calls-0", 2, 1),
                LaneReport.State.WAITING,
                1_000_000,
                new LaneReport.Counts(
                        busyMs * 1_000_000,
                        (second * 1000L - busyMs) * 1_000_000,
                        5L * second,
                        100L * second,
                        12_000_000,
                        second < 25 ? 0 : 1,
                        2L * second),
                new LaneReport.Queue("ring blocks", 3, 48, 64));
        return new LaneRow(report, 1, new TreeMap<>(), last, last);
    }

    private static ThreadProfile profile(int second) {
        return new ThreadProfile(
                10,
                List.of(
                        new ThreadProfile.HotMethod("org.example.Pool.take", 7),
                        new ThreadProfile.HotMethod("org.example.Pool.give" + second % 2, 3)),
                2_000_000,
                SECOND);
    }

    @Test
    void playsThemAsATable() throws IOException {
        String out = Offhook.done("threads", "play", record("a", 20), "--utc").out();
        assertThat(out.lines().filter(line -> line.startsWith("calls-0")).toList())
                .singleElement()
                .asString()
                // id, peak and mean duty, frames a second and in all, lost, stalls, longest, pinned, core, most, queue
                .matches("calls-0 +2 +40\\.0 +20\\.7 +100 +3,000 +60 +1 +12\\.0 +1 +1 +48 +3 of 64 ring bl\\S* +waits");
        assertThat(out).contains("Pool.take 70 %, Pool.give0 15 %, Pool.give1 15 %");
        assertThat(out.lines().filter(line -> line.startsWith("waiter") && line.contains("300")))
                .singleElement()
                .asString()
                .contains(" 2.0 ");
        assertThat(out.lines().filter(line -> line.startsWith("org.example.Pool")))
                .singleElement()
                .asString()
                .matches("org\\.example\\.Pool +a holder +10\\.0 +1 +waiter +2026-11-21 14:00:11 +2026-11-21 14:00:20");
        assertThat(out).contains("Deadlock: one waits for A@1, which two has; two waits for B@2, which one has.");
    }

    @Test
    void playsThemAsJson() throws IOException {
        Map<String, Object> all = Json.object(
                Offhook.done("threads", "play", record("a", 20), "--format", "json", "--since", "14:00:10", "--utc")
                        .out());
        Map<String, Object> lane = Json.objects(all.get("lanes")).getFirst();
        // 21 seconds of 20 %, one of them 40 %
        assertThat(lane).containsEntry("name", "calls-0").containsEntry("frames", 3000L);
        assertThat(lane.get("duty")).hasToString("0.2095");
        assertThat(Json.objects(lane.get("processors")))
                .singleElement()
                .asString()
                .isEqualTo("{processor=1, looks=21}");
        Map<String, Object> contention = Json.objects(all.get("contention")).getFirst();
        assertThat(contention).containsEntry("lock", "org.example.Pool").containsEntry("owner", "a holder");
        assertThat(contention.get("seconds")).hasToString("10");
        assertThat(Json.objects(all.get("deadlocks"))).hasSize(1);
        Map<String, Object> thread = Json.objects(all.get("threads")).getFirst();
        assertThat(thread).containsEntry("methodSamples", 210L);
        assertThat(thread.get("allocatedBytesPerSecond")).hasToString("2000000");
        assertThat(Json.objects(thread.get("methods")).getFirst())
                .containsEntry("name", "org.example.Pool.take")
                .containsEntry("samples", 147L);
    }

    @Test
    void exportsThemALineAThreadAndReading() throws Exception {
        String recording = record("a", 20);
        Offhook.done("threads", "play", recording, "--export", file("a.jsonl"));
        Offhook.done("threads", "play", recording, "--export", file("a.parquet"));
        List<String> lines = Files.readAllLines(folder.resolve("a.jsonl"));
        Map<String, Object> waiter = Json.object(lines.get(2 * 14));
        assertThat(waiter)
                .containsEntry("name", "waiter")
                .containsEntry("waitsFor", "org.example.Pool@f")
                .containsEntry("lockOwner", "a holder")
                .containsEntry("method", "org.example.Pool.take")
                .containsEntry("methodSamples", 10L)
                .containsEntry("allocatedBytesPerSecond", 2_000_000L)
                .containsEntry("lane", null)
                .containsEntry("queueRoom", null);
        Map<String, Object> lane = Json.object(lines.get(2 * 24 + 1));
        assertThat(lane)
                .containsEntry("waitsFor", null)
                .containsEntry("lane", "calls-0")
                .containsEntry("frames", 100L)
                .containsEntry("stalls", 1L)
                .containsEntry("drops", 2L)
                .containsEntry("queue", "ring blocks")
                .containsEntry("queueDepth", 3L)
                .containsEntry("queueRoom", 64L);
        assertThat(lane.get("duty")).hasToString("0.4");
        String csv =
                Offhook.done("threads", "play", recording, "--format", "csv").out();
        assertThat(csv.lines().skip(2 * 14 + 1).findFirst().orElseThrow())
                .endsWith(",org.example.Pool@f,a holder,10,org.example.Pool.take,2000000,,,,,,,,,,");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FILTER (waitsFor IS NOT NULL), sum(frames),"
                        + " round(avg(duty), 4), sum(methodSamples) FROM '" + file("a.parquet") + "'")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getLong(1)).isEqualTo(10);
            assertThat(rows.getLong(2)).isEqualTo(3000);
            assertThat(rows.getDouble(3)).isEqualTo(0.2067);
            assertThat(rows.getLong(4)).isEqualTo(300);
        }
    }

    /** A recording without lanes has the same columns, of the same types. */
    @Test
    void columnsWithoutValuesHaveTheirTypes() throws Exception {
        try (RecordingWriter writer = RecordingWriter.create(
                folder.resolve("plain"), new RecordedProcess(1, "cat", BEGAN, SECOND), 1 << 25)) {
            writer.add(BEGAN + SECOND, List.of(new ThreadRow(1, "cat", 'S', 0, USE, USE, USE)));
        }
        Offhook.done("threads", "play", file("plain"), "--export", file("plain.parquet"));
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT typeof(duty), typeof(frames), typeof(method), duty FROM '"
                                + file("plain.parquet") + "'")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo("DOUBLE");
            assertThat(rows.getString(2)).isEqualTo("BIGINT");
            assertThat(rows.getString(3)).isEqualTo("VARCHAR");
            assertThat(rows.getObject(4)).isNull();
        }
    }

    @Test
    void comparesDutyCyclesSideBySide() throws IOException {
        String a = record("a", 20);
        String b = record("b", 40);
        Map<String, Object> all = Json.object(
                Offhook.done("threads", "compare", a, b, "--format", "json").out());
        Map<String, Object> lane = Json.objects(all.get("lanes")).getFirst();
        assertThat(lane).containsEntry("name", "calls-0");
        assertThat(lane.get("duty")).hasToString("{a=0.2067, b=0.4133}");
        assertThat(lane.get("drops")).hasToString("{a=60, b=60}");
        assertThat(lane.get("queueFull")).hasToString("{a=0.75, b=0.75}");
        Map<String, Object> thread = Json.objects(all.get("threads")).stream()
                .filter(one -> "lane".equals(one.get("name")))
                .findFirst()
                .orElseThrow();
        assertThat(thread.get("duty")).hasToString("{a=0.2067, b=0.4133}");
        String table = Offhook.done("threads", "compare", a, b).out();
        assertThat(table.lines().filter(line -> line.startsWith("calls-0")))
                .singleElement()
                .asString()
                .matches("calls-0 +20\\.7 +41\\.3 +\\+20\\.7 +100 +100 +60 +60 +1 +1 +12\\.0 +12\\.0 +75 +75");
    }

    @Test
    void thePageShowsThemAsTheyWere() throws IOException {
        String out = new Offhook()
                .onTerminal(160)
                .with("threads", "play", record("a", 20), "--speed", "999999", "--utc")
                .out();
        String page = out.substring(0, out.lastIndexOf("\u001b[?1049l"));
        assertThat(page)
                .contains("Lanes, by what they publish", "Duty %", "Pool.take 70 %")
                .contains("org.example.Pool@f, which a holder has: 1 thread waiting, first waiter");
    }
}
