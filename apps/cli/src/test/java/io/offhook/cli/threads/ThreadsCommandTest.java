package io.offhook.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class ThreadsCommandTest {
    @Test
    void printsOneObjectWithTheSamplesOfEachThread() {
        String out = Offhook.done("threads", "self", "--for", "0.3", "--every", "0.1", "--format", "json")
                .out();
        Map<String, Object> watched = Json.object(out);
        assertThat(watched.get("pid"))
                .hasToString(Long.toString(ProcessHandle.current().pid()));
        assertThat(watched.get("ended")).isEqualTo(false);
        List<Map<String, Object>> threads = Json.objects(watched.get("threads"));
        assertThat(threads).isNotEmpty().allSatisfy(thread -> {
            assertThat(thread)
                    .containsKeys("name", "nativeId", "cpu", "user", "system", "runQueue", "states", "samples");
            Map<String, Object> states = Json.asObject(thread.get("states"));
            double sum = states.values().stream()
                    .mapToDouble(share -> ((Number) share).doubleValue())
                    .sum();
            assertThat(sum).isGreaterThan(0.99); // and a little above 1: not all is read at one moment
            assertThat(states.values())
                    .allSatisfy(
                            share -> assertThat(((Number) share).doubleValue()).isBetween(0.0, 1.0));
        });
        assertThat(threads)
                .anySatisfy(thread ->
                        assertThat(Json.objects(thread.get("samples"))).isNotEmpty());
    }

    @Test
    void printsALineAThreadAndLookAsCsv() {
        List<String> lines = Offhook.done("threads", "self", "--for", "0.3", "--every", "0.1", "--format", "csv")
                .out()
                .lines()
                .toList();
        assertThat(lines.getFirst()).isEqualTo(String.join(",", ThreadsCsv.COLUMNS));
        assertThat(lines).hasSizeGreaterThan(3);
    }

    @Test
    void printsATableOnceWhereNoTerminalIs() {
        String out = Offhook.done("threads", "self", "--for", "0.2", "--every", "0.1")
                .out();
        assertThat(out).contains("Thread").contains("Run queue").doesNotContain("\u001b");
    }

    @Test
    void redrawsThePageOnATerminalAndLeavesATableBehind() {
        String out = new Offhook()
                .onTerminal(100)
                .with("threads", "self", "--for", "0.2", "--every", "0.1")
                .out();
        assertThat(out).contains("\u001b[?1049h").contains("\u001b[?1049l");
        assertThat(out.substring(out.lastIndexOf("\u001b[?1049l"))).contains("Thread");
    }

    @Test
    void endsWithTheProcess() throws Exception {
        Process process = new ProcessBuilder("sleep", "0.3").start();
        Offhook.Result result = Offhook.run("threads", Long.toString(process.pid()), "--every", "0.1");
        // it may have ended before it was watched
        assertThat(result.out() + result.err()).containsAnyOf("The process has ended.", "there is no process");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void showsAndRecordsTheMethodsThatThreadsRunAndWhatTheyAllocate(@TempDir Path folder) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(java, "../../wire/monitor/src/test/resources/KnownMethods.java")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.inputReader().readLine()).isEqualTo("ready");
            String pid = Long.toString(process.pid());
            Map<String, Object> both = Map.of();
            Map<String, Object> allocates = Map.of();
            // until events have arrived, which a busy machine delays
            while (Json.objects(both.getOrDefault("methods", List.of())).isEmpty()
                    || allocates.get("allocatedBytesPerSecond") == null) {
                Map<String, Object> watched =
                        Json.object(Offhook.done("threads", pid, "--methods", "--for", "5s", "--format", "json")
                                .out());
                both = thread(watched, "both");
                allocates = thread(watched, "allocates");
            }
            assertThat(Json.objects(both.get("methods")))
                    .extracting(method -> method.get("name"))
                    .contains("KnownMethods.longWork");
            assertThat(both).containsKey("methodSamples");
            String table =
                    Offhook.done("threads", pid, "--methods", "--for", "5s").out();
            assertThat(table).contains("Methods at the top of stacks", "MB/s");
            Map<String, Object> played = Map.of();
            for (int i = 0;
                    Json.objects(played.getOrDefault("methods", List.of())).isEmpty();
                    i++) {
                String recording = folder.resolve("recording" + i).toString();
                Offhook.done("threads", pid, "--methods", "--for", "5s", "--record", recording);
                played = thread(
                        Json.object(Offhook.done("threads", "play", recording, "--format", "json")
                                .out()),
                        "both");
            }
            assertThat(Json.objects(played.get("methods")))
                    .extracting(method -> method.get("name"))
                    .contains("KnownMethods.longWork");
            Map<String, Object> without = Json.object(Offhook.done("threads", pid, "--for", "1s", "--format", "json")
                    .out());
            assertThat(thread(without, "both")).doesNotContainKeys("methods", "allocatedBytesPerSecond");
        } finally {
            process.destroyForcibly();
        }
    }

    private static Map<String, Object> thread(Map<String, Object> watched, String name) {
        return Json.objects(watched.get("threads")).stream()
                .filter(thread -> name.equals(thread.get("name")))
                .findFirst()
                .orElse(Map.of());
    }

    @Test
    void refusesMethodsOfWhatIsNoJvm() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(Offhook.run("threads", Long.toString(process.pid()), "--methods")
                            .err())
                    .contains("--methods needs a HotSpot JVM");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(Offhook.run("threads").err()).contains("PROCESS");
        assertThat(Offhook.run("threads", "2147483647").err()).contains("there is no process 2147483647");
        assertThat(Offhook.run("threads", "no-such-program").err()).contains("no process is called no-such-program");
        assertThat(Offhook.run("threads", "self", "--for", "soon").err()).contains("--for soon is not a time");
        assertThat(Offhook.run("threads", "self", "--every", "0.01").err()).contains("less than 0.1 seconds");
    }
}
