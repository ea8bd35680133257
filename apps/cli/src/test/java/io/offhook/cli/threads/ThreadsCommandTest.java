package io.offhook.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

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
    void saysWhatIsMissing() {
        assertThat(Offhook.run("threads").err()).contains("PROCESS");
        assertThat(Offhook.run("threads", "2147483647").err()).contains("there is no process 2147483647");
        assertThat(Offhook.run("threads", "no-such-program").err()).contains("no process is called no-such-program");
        assertThat(Offhook.run("threads", "self", "--for", "soon").err()).contains("--for soon is not a time");
        assertThat(Offhook.run("threads", "self", "--every", "0.01").err()).contains("less than 0.1 seconds");
    }
}
