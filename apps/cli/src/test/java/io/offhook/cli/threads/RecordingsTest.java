package io.offhook.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaThread;
import io.offhook.monitor.Pause;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import io.offhook.monitor.recording.RecordedProcess;
import io.offhook.monitor.recording.RecordingEnd;
import io.offhook.monitor.recording.RecordingWriter;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class RecordingsTest {
    private static final long SECOND = 1_000_000_000L;
    /** 2026-11-21, 14:00 UTC. */
    private static final long BEGAN = 1_795_269_600L * SECOND;

    private static final ThreadUse NONE = new ThreadUse(0, 0, 0, 0, 0, 0, 0);

    @TempDir
    private Path folder;

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    /** A thread with this share of a processor, in percent, each second. */
    private record Load(String name, int percent, int waited) {}

    private String record(String name, int seconds, @Nullable RecordingEnd end, Load... loads) throws IOException {
        Path file = folder.resolve(name);
        RecordedProcess process = new RecordedProcess(4711, "java <Proxy> & co", BEGAN, SECOND);
        try (RecordingWriter writer = RecordingWriter.create(file, process, 1 << 25)) {
            for (int i = 0; i <= seconds; i++) {
                List<ThreadRow> rows = new ArrayList<>();
                for (int j = 0; j < loads.length; j++) {
                    ThreadUse use = new ThreadUse(
                            SECOND,
                            loads[j].percent() * 8_000_000L,
                            loads[j].percent() * 2_000_000L,
                            loads[j].waited() * 10_000_000L,
                            10,
                            2,
                            0);
                    rows.add(new ThreadRow(
                            100 + j, loads[j].name(), 'R', j, i == 0 ? NONE : use, i == 0 ? NONE : use, NONE));
                }
                writer.add(BEGAN + i * SECOND, rows);
            }
            if (end != null) {
                writer.end(end);
            }
        }
        return file.toString();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void recordsWhatItWatchesAndPlaysIt() {
        String out = Offhook.done("threads", "self", "--for", "0.5", "--every", "0.1", "--record", file("self"))
                .out();
        assertThat(out).contains("Recorded to " + file("self") + ".");
        assertThat(folder.toFile().list()).containsExactly("self");
        String played = Offhook.done("threads", "play", file("self"), "--format", "json")
                .out();
        Map<String, Object> all = Json.object(played);
        assertThat(all.get("pid"))
                .hasToString(Long.toString(ProcessHandle.current().pid()));
        assertThat(Json.asObject(all.get("recording")).get("end")).isEqualTo("stopped");
        assertThat(Json.objects(all.get("threads")))
                .isNotEmpty()
                .anySatisfy(thread ->
                        assertThat(Json.objects(thread.get("samples"))).isNotEmpty());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void overwritesNoFileAndSaysWhatIsWrong() throws IOException {
        Files.writeString(folder.resolve("there"), "precious");
        assertThat(Offhook.run("threads", "self", "--for", "0.1", "--record", file("there"))
                        .err())
                .contains("is there already");
        assertThat(folder.resolve("there")).hasContent("precious");
        assertThat(Offhook.run("threads", "self", "--record", file("no/such")).err())
                .contains("there is no such folder");
        assertThat(Offhook.run("threads", "self", "--record", file("new"), "--record-size", "1000")
                        .err())
                .contains("--record-size 1000 is less than 64Ki");
        assertThat(Offhook.run("threads", "self", "--record-size", "1M").err()).contains("needs --record");
        assertThat(Offhook.run("threads", "self", "--plot", file("plot.gif")).err())
                .contains("ends in .svg or .png");
        assertThat(Offhook.run("threads", "self", "--plot", file("no/plot.svg")).err())
                .contains("there is no folder");
    }

    @Test
    void playsTheWholeAsATable() throws IOException {
        String recording = record("a", 60, RecordingEnd.PROCESS_ENDED, new Load("busy", 40, 7), new Load("idle", 0, 0));
        String out = Offhook.done("threads", "play", recording, "--utc").out();
        assertThat(out)
                .contains("4711  java <Proxy> & co")
                .contains("2026-11-21 14:00:00 to 2026-11-21 14:01:00; 2 threads")
                .contains("The process has ended.");
        assertThat(out.lines().filter(line -> line.startsWith("busy")).toList())
                .singleElement()
                .asString()
                .matches("busy +100 +40\\.0 +40\\.0 +32\\.0 +8\\.0 +7\\.0 +10 +2 +0 +60");
    }

    @Test
    void playsAPartOfIt() throws IOException {
        String recording = record("a", 60, RecordingEnd.STOPPED, new Load("busy", 40, 7));
        String out = Offhook.done(
                        "threads",
                        "play",
                        recording,
                        "--utc",
                        "--since",
                        "14:00:11",
                        "--until",
                        "14:00:30",
                        "--format",
                        "json")
                .out();
        Map<String, Object> thread =
                Json.objects(Json.object(out).get("threads")).getFirst();
        assertThat(Json.objects(thread.get("samples"))).hasSize(20);
        assertThat(thread.get("cpu")).hasToString("0.4");
        assertThat(thread.get("voluntarySwitches")).hasToString("200");
    }

    @Test
    void redrawsThePageAsItWas() throws IOException {
        String recording = record("a", 3, RecordingEnd.STOPPED, new Load("busy", 40, 7));
        String out = new Offhook()
                .onTerminal(100)
                .with("threads", "play", recording, "--speed", "1000", "--utc")
                .out();
        assertThat(out)
                .contains("\u001b[?1049h")
                .contains("2026-11-21 14:00:02, played 1000 times as fast")
                .contains("\u001b[?1049l");
    }

    @Test
    void exportsALineAThreadAndReading() throws IOException {
        String recording = record("a", 5, RecordingEnd.STOPPED, new Load("7", 40, 7), new Load("idle", 0, 0));
        Offhook.done("threads", "play", recording, "--export", file("a.csv"));
        Offhook.done("threads", "play", recording, "--export", file("a.jsonl"));
        Offhook.done("threads", "play", recording, "--export", file("a.parquet"));
        List<String> csv = Files.readAllLines(folder.resolve("a.csv"));
        assertThat(csv).hasSize(1 + 6 * 2);
        assertThat(csv.getFirst()).isEqualTo(String.join(",", ThreadsCsv.COLUMNS));
        List<String> lines = Files.readAllLines(folder.resolve("a.jsonl"));
        assertThat(lines).hasSize(6 * 2);
        Map<String, Object> last = Json.object(lines.get(10));
        assertThat(last).containsEntry("name", "7").containsEntry("ended", false);
        assertThat(last.keySet()).containsExactlyInAnyOrderElementsOf(ThreadsCsv.COLUMNS);
        assertThat(last.get("runQueue")).hasToString("0.07");
        assertThat(Files.readAllBytes(folder.resolve("a.parquet"))).startsWith('P', 'A', 'R', '1');
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("a", "a.csv", "a.jsonl", "a.parquet");
        assertThat(Offhook.run("threads", "play", recording, "--export", file("a.xls"))
                        .err())
                .contains("ends in .csv, .jsonl or .parquet");
    }

    @Test
    void saysThatARecordingWasCutOffAndShowsWhatThereIs() throws IOException {
        String killed = record("killed", 60, null, new Load("busy", 40, 7));
        assertThat(Offhook.done("threads", "play", killed).out()).contains("The recording has no end");
        byte[] whole = Files.readAllBytes(folder.resolve("killed"));
        Files.write(folder.resolve("cut"), Arrays.copyOf(whole, whole.length - 5));
        Offhook.Result cut = Offhook.run("threads", "play", file("cut"));
        assertThat(cut.code()).isEqualTo(3);
        assertThat(cut.err()).contains("is cut off or damaged behind byte");
        assertThat(cut.out()).contains("busy");
    }

    @Test
    void saysThatAFileIsNoneOrNewerOrMissing() throws IOException {
        Files.writeString(folder.resolve("text"), "a text of more than sixteen bytes");
        Offhook.Result text = Offhook.run("threads", "play", file("text"));
        assertThat(text.code()).isEqualTo(3);
        assertThat(text.err()).contains("text is no recording of threads");
        assertThat(Offhook.run("threads", "play", file("missing")).err()).contains("there is no file");
        assertThat(Offhook.run("threads", "play", folder.toString()).err()).contains("cannot be read");
        String recording = record("a", 5, RecordingEnd.STOPPED, new Load("busy", 40, 7));
        byte[] newer = Files.readAllBytes(folder.resolve("a"));
        newer[8] = 9;
        Files.write(folder.resolve("newer"), newer);
        assertThat(Offhook.run("threads", "compare", recording, file("newer")).err())
                .contains("version 9, and this Offhook reads those up to version 1");
        assertThat(Offhook.run("threads", "play", recording, "--speed", "fast").err())
                .contains("--speed fast is not a speed");
    }

    @Test
    void plotsARowAThreadWithWhatItDid() throws IOException {
        String recording =
                record("a", 120, RecordingEnd.STOPPED, new Load("busy <1> & co", 40, 7), new Load("idle", 0, 0));
        Offhook.done("threads", "play", recording, "--plot", file("a.svg"), "--utc");
        String svg = Files.readString(folder.resolve("a.svg"));
        List<String> texts = Pattern.compile("<text [^>]*>([^<]*)</text>")
                .matcher(svg)
                .results()
                .map(text ->
                        text.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
                .toList();
        assertThat(texts)
                .contains("Threads of 4711  java <Proxy> & co", "busy <1> & co", "100 · 40.0 %", "14:01:00", "14:02:00")
                .contains("and 1 thread more, which took less processor time, or none")
                .anySatisfy(text -> assertThat(text).contains("time of day, 2026-11-21 (UTC)"))
                .anySatisfy(text -> assertThat(text).contains("run queue"))
                .anySatisfy(text -> assertThat(text).contains("mean of 15 s"))
                .doesNotContain("idle");
        // 0 to 50 %: 40 % is at four fifths of the row, from its beginning to its end
        assertThat(svg).contains("class=\"raw\" d=\"M220 140V111.2h900V140z\"");
        assertThat(svg).contains("class=\"waited\" d=\"M220 140V106.2h900V140z\"");
        assertThat(svg).contains("prefers-color-scheme:dark");
    }

    @Test
    void plotsTheSameInPixels() throws IOException {
        String recording = record("a", 120, RecordingEnd.STOPPED, new Load("busy", 40, 7));
        Offhook.done("threads", "play", recording, "--plot", file("a.PNG"), "--utc");
        BufferedImage image = ImageIO.read(folder.resolve("a.PNG").toFile());
        assertThat(image.getWidth()).isEqualTo(2400);
        // two pixels a unit of the picture above, in the middle of the row
        assertThat(colour(image, 1400, 2 * 135)).isEqualTo(0x93c1f2);
        assertThat(colour(image, 1400, 2 * 109)).isEqualTo(0xe5534b);
        assertThat(colour(image, 1400, 2 * 111)).as("its mean, on the edge").isEqualTo(0x0a4a9c);
        assertThat(colour(image, 1400, 2 * 105 + 1)).isEqualTo(0xf1f3f6);
        assertThat(colour(image, 2 * 218, 2 * 135)).isEqualTo(0xffffff);
    }

    @Test
    void namesOfThreadsAreWrittenInPixels() throws IOException {
        Map<String, String> rows = new HashMap<>();
        for (String name : List.of("busy", "bus", "ybus", "Größe", "\u4e2d", "\u6587")) {
            String recording = record("of" + rows.size(), 20, RecordingEnd.STOPPED, new Load(name, 40, 7));
            Offhook.done("threads", "play", recording, "--plot", file("a.png"), "--utc");
            BufferedImage image = ImageIO.read(folder.resolve("a.png").toFile());
            StringBuilder row = new StringBuilder();
            for (int y = 2 * 108; y < 2 * 124; y++) {
                for (int x = 0; x < 2 * 216; x++) {
                    row.append(colour(image, x, y) == 0xffffff ? ' ' : '#');
                }
            }
            assertThat(row).as(name).contains("#");
            rows.put(name, row.toString());
        }
        // letters that the font has not are boxes
        assertThat(rows.get("\u4e2d")).isEqualTo(rows.get("\u6587"));
        assertThat(Set.copyOf(rows.values())).hasSize(5);
    }

    private static int colour(BufferedImage image, int x, int y) {
        return image.getRGB(x, y) & 0xffffff;
    }

    /** Half of the time in a monitor, with pauses; the other thread waits. */
    private String recordInJava(String name) throws IOException {
        Path file = folder.resolve(name);
        ThreadUse use = new ThreadUse(SECOND, 100_000_000, 0, 0, 10, 2, 0);
        List<ThreadRow> rows = List.of(
                new ThreadRow(1, "a-long-name-of-", 'S', 0, use, use, use),
                new ThreadRow(2, "w", 'S', 0, use, use, use));
        StateTimes half = new StateTimes(SECOND / 2, 0, 0, 0, SECOND / 2);
        StateTimes waits = new StateTimes(0, 0, SECOND, 0, 0);
        Map<Integer, JavaThread> threads = Map.of(
                1, new JavaThread(1, "a-long-name-of-a-thread", null, half, half, null),
                2, new JavaThread(2, "waits", null, waits, waits, null));
        try (RecordingWriter writer =
                RecordingWriter.create(file, new RecordedProcess(4711, "java Proxy", BEGAN, SECOND), 1 << 25)) {
            for (int i = 1; i <= 90; i++) {
                List<Pause> pauses = i == 46
                        ? List.of(new Pause(BEGAN + 45 * SECOND, SECOND, Pause.Kind.GC, "G1 Evacuation Pause"))
                        : List.of();
                writer.add(
                        BEGAN + i * SECOND, rows, new JavaLook(threads, Map.of(), List.of(), List.of(), pauses, null));
            }
            writer.end(RecordingEnd.STOPPED);
        }
        return file.toString();
    }

    @Test
    void playsStatesAndPausesOfAJvm() throws IOException {
        String recording = recordInJava("jvm");
        Map<String, Object> all =
                Json.object(Offhook.done("threads", "play", recording, "--format", "json", "--plot", file("jvm.svg"))
                        .out());
        Map<String, Object> thread = Json.objects(all.get("threads")).getFirst();
        assertThat(thread.get("name")).isEqualTo("a-long-name-of-a-thread");
        assertThat(Json.asObject(thread.get("states"))).containsKey("monitor");
        assertThat(Json.asObject(thread.get("states")).get("monitor")).hasToString("0.5");
        assertThat(Json.objects(all.get("pauses"))).hasSize(1);
        String csv =
                Offhook.done("threads", "play", recording, "--format", "csv").out();
        assertThat(csv.lines().skip(1))
                .allSatisfy(line -> assertThat(line).containsAnyOf("a-long-name-of-a-thread", "waits"));
        Map<String, Object> compared = Json.objects(
                        Json.object(Offhook.done("threads", "compare", recording, recording, "--format", "json")
                                        .out())
                                .get("threads"))
                .getFirst();
        assertThat(Json.asObject(compared.get("monitor"))).hasToString("{a=0.5, b=0.5}");
        String svg = Files.readString(folder.resolve("jvm.svg"));
        // a strip of 8 pixels over all 900 columns: the lower half running, the upper one blocked
        assertThat(svg).contains("class=\"running\" d=\"M220 172h900v-4h-900z\"");
        assertThat(svg).contains("class=\"monitor\" d=\"M220 168h900v-4h-900z\"");
        // the second from 45 to 46 of 90, across both rows
        assertThat(svg).contains("class=\"gc\" x=\"670\" y=\"126\" width=\"11\" height=\"112\"");
    }

    @Test
    void comparesThreadsByNameAndPoolsByTheirPattern() throws IOException {
        String a = record(
                "a",
                60,
                RecordingEnd.STOPPED,
                new Load("main", 5, 0),
                new Load("pool-1-thread-1", 10, 0),
                new Load("gone", 1, 0));
        String b = record(
                "b",
                30,
                RecordingEnd.STOPPED,
                new Load("main", 8, 0),
                new Load("pool-1-thread-1", 10, 0),
                new Load("pool-1-thread-2", 30, 20),
                new Load("new", 0, 0));
        List<String> names = new ArrayList<>();
        Map<String, Object> json = Json.object(
                Offhook.done("threads", "compare", a, b, "--format", "json").out());
        Json.objects(json.get("threads")).forEach(thread -> names.add(String.valueOf(thread.get("name"))));
        assertThat(names).containsExactly("pool-#-thread-#", "main", "gone", "new");
        Map<String, Object> pool = Json.objects(json.get("threads")).getFirst();
        assertThat(Json.asObject(pool.get("threads"))).hasToString("{a=1, b=2}");
        assertThat(Json.asObject(pool.get("cpu"))).hasToString("{a=0.1, b=0.4}");
        assertThat(Json.asObject(pool.get("runQueue"))).hasToString("{a=0, b=0.2}");
        assertThat(Json.asObject(pool.get("peak"))).hasToString("{a=0.1, b=0.3}");
        assertThat(pool.get("difference")).hasToString("0.5");
        String table = Offhook.done("threads", "compare", a, b, "--utc").out();
        assertThat(table).contains("A  " + a + "  2026-11-21 14:00:00, 1:00; 3 threads");
        assertThat(table.lines().filter(line -> line.startsWith("pool")).toList())
                .singleElement()
                .asString()
                .contains("+30.0");
        List<String> csv = Offhook.done("threads", "compare", a, b, "--format", "csv")
                .out()
                .lines()
                .toList();
        assertThat(csv.getFirst()).isEqualTo(String.join(",", ComparisonOutput.COLUMNS));
        assertThat(csv).hasSize(5);
    }
}
