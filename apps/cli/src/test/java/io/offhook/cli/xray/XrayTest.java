package io.offhook.cli.xray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.OutputDocument;
import io.offhook.cli.command.ExitCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** {@code offhook threads PID --calls} on a server that does known things before it answers. */
@EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root")
@Timeout(300)
class XrayTest {
    /** What a cause must have at least. */
    private static final double MOST = 0.5;

    private static final int LONG_MS = 400;

    private static final int TRIES = 3;

    private static Map<String, Object> xray = Map.of();
    private static final Map<String, Integer> SPUN_MS = new HashMap<>();

    @BeforeAll
    static void watchAServer() throws Exception {
        try (DelayingServer server = new DelayingServer("-Xmx256m")) {
            RunningXray running = new RunningXray(server.pid(), "--for", "200s", "--format", "json");
            server.send("never", 0);
            for (int i = 0; i < TRIES; i++) {
                server.ask("gc", LONG_MS + i);
            }
            // the JVM says where it stopped within some seconds, which the others take
            for (int i = 0; i < TRIES; i++) {
                server.ask("sleep", LONG_MS + i);
                server.ask("worker", LONG_MS + i);
                SPUN_MS.put("spin-" + (LONG_MS + i), server.ask("spin", LONG_MS + i));
                server.ask("monitor", LONG_MS + i);
                server.ask("nap", LONG_MS + i);
                server.ask("sleep", 1 + i);
            }
            server.end();
            Offhook.Result result = running.result();
            assertThat(result.code()).as(result.err()).isZero();
            xray = Json.object(result.out());
        }
    }

    private static Map<String, Object> gap(String callId) {
        List<Map<String, Object>> found = Json.objects(xray.get("gaps")).stream()
                .filter(gap -> callId.equals(gap.get("callId")))
                .toList();
        assertThat(found).as(callId + " in " + xray).hasSize(1);
        return found.getFirst();
    }

    private static double number(@Nullable Object value) {
        return ((Number) Objects.requireNonNull(value)).doubleValue();
    }

    /** How long a cause has of a gap, in seconds. */
    private static double seconds(Map<String, Object> gap, String cause) {
        Map<String, Object> all = Json.asObject(gap.get("causes"));
        return all.containsKey(cause) ? number(all.get(cause)) : 0;
    }

    /** Of the tries, the one in which threads had to wait least for a processor. */
    private static Map<String, Object> bestOf(String what, int firstMs) {
        Map<String, Object> best = gap(what + "-" + firstMs);
        for (int i = 1; i < TRIES; i++) {
            Map<String, Object> other = gap(what + "-" + (firstMs + i));
            best = seconds(other, "runQueue") < seconds(best, "runQueue") ? other : best;
        }
        return best;
    }

    /** The time that threads wait for a processor depends on the machine; of the rest, the cause must have most. */
    private static void assertMost(Map<String, Object> gap, String cause) {
        double rest = number(gap.get("seconds")) - seconds(gap, "runQueue");
        assertThat(seconds(gap, cause) / rest).as(gap.toString()).isGreaterThan(MOST);
    }

    @Test
    void aCollectionOfGarbageIsTheCause() {
        Map<String, Object> gap = bestOf("gc", LONG_MS);
        assertMost(gap, "gc");
        assertThat(gap.get("what")).isEqualTo("System.gc()");
    }

    @Test
    void whoSleepsWaitsForSomethingElse() {
        Map<String, Object> gap = bestOf("sleep", LONG_MS);
        assertMost(gap, "waiting");
        assertThat(Json.text(gap, "what")).startsWith("sip-reader sleeps");
    }

    @Test
    void theThreadThatWorksIsFoundBehindTheOneThatReads() {
        Map<String, Object> gap = bestOf("worker", LONG_MS);
        assertMost(gap, "waiting");
        assertThat(Json.text(gap, "what")).startsWith("sip-worker sleeps");
    }

    @Test
    void whoSpinsIsOnAProcessorOrWaitsForOne() {
        Map<String, Object> gap = bestOf("spin", LONG_MS);
        assertMost(gap, "cpu");
        int spunMs = Objects.requireNonNull(SPUN_MS.get(gap.get("callId")));
        assertThat(seconds(gap, "cpu") * 1000).as(gap.toString()).isCloseTo(spunMs, within(20 + 0.2 * spunMs));
    }

    @Test
    void aMonitorIsTheCauseAndItsOwnerIsNamed() {
        assertMost(bestOf("monitor", LONG_MS), "monitor");
        assertThat(List.of(gap("monitor-400"), gap("monitor-401"), gap("monitor-402")))
                .anySatisfy(gap -> assertThat(Json.text(gap, "what"))
                        .startsWith("sip-reader, on java.lang.Object@")
                        .endsWith(", which lock-holder has"));
    }

    @Test
    void aMessageThatNobodyReadsIsUnreadThoughAnotherThreadSpins() {
        Map<String, Object> gap = bestOf("sleep", 1);
        assertMost(gap, "unread");
        assertThat(Json.text(gap, "what")).startsWith("sip-reader sleeps");
    }

    @Test
    void causesOfAGapAreTheGapAndSharesAreAll() {
        for (Map<String, Object> gap : Json.objects(xray.get("gaps"))) {
            double sum = Json.asObject(gap.get("causes")).values().stream()
                    .mapToDouble(XrayTest::number)
                    .sum();
            assertThat(sum).isCloseTo(number(gap.get("seconds")), within(0.00001));
        }
        List<Map<String, Object>> causes = Json.objects(xray.get("causes"));
        assertThat(causes.stream()
                        .mapToDouble(cause -> number(cause.get("share")))
                        .sum())
                .isCloseTo(1, within(0.001));
        assertThat(causes.stream()
                        .mapToDouble(cause -> number(cause.get("gaps")))
                        .sum())
                .isEqualTo(number(xray.get("gapCount")));
    }

    @Test
    void whatTheProcessDidUntilItEndedIsKept() {
        assertThat(xray.get("ended")).isEqualTo(true);
        assertThat(number(xray.get("gapCount"))).isEqualTo(7 * TRIES);
        assertThat(number(xray.get("awaited"))).as("the one that has no answer").isEqualTo(1);
        Map<String, Object> messages = Json.asObject(xray.get("messages"));
        assertThat(number(messages.get("in"))).isEqualTo(7 * TRIES + 1);
        assertThat(number(messages.get("out"))).isEqualTo(7 * TRIES);
    }

    @Test
    void fieldsAreAsDocumented() {
        Set<String> printed = new TreeSet<>();
        for (String path : Json.paths(xray)) {
            printed.add(path.replaceFirst("(gaps\\[]\\.causes)\\..*", "$1"));
        }
        Set<String> documented = OutputDocument.documented("### Gaps of a process");
        printed.removeIf(path -> path.endsWith("[]"));
        assertThat(documented).isEqualTo(printed);
    }

    @Test
    void printsATableAndLaddersUntilTheTimeIsOver() throws Exception {
        try (DelayingServer server = new DelayingServer()) {
            RunningXray running = new RunningXray(server.pid(), "--for", "4s", "--color", "never");
            server.ask("sleep", 300);
            Offhook.Result result = running.result();
            assertThat(result.code()).as(result.err()).isZero();
            assertThat(result.out())
                    .contains("1 gap of 0.")
                    .contains("waiting for something else")
                    .contains("Call sleep-300")
                    .contains("--> OPTIONS")
                    .containsPattern("WWWWW+.* ms since OPTIONS: waiting \\d+")
                    .contains("<-- 200 OK")
                    .contains("W waiting for something else");
        }
    }

    @Test
    void redrawsThePageOnATerminalAndLeavesTheReportBehind() throws Exception {
        try (DelayingServer server = new DelayingServer()) {
            String out = new Offhook()
                    .onTerminal(100)
                    .with("threads", Long.toString(server.pid()), "--calls", "-i", "lo", "--for", "1.5")
                    .out();
            assertThat(out).contains("\u001b[?1049h").contains("\u001b[?1049l");
            assertThat(out.substring(out.lastIndexOf("\u001b[?1049l"))).contains("No SIP message of the process yet");
        }
    }

    @Test
    void saysWhatIsMissing() throws Exception {
        assertThat(Offhook.run("threads", "self", "--calls").err()).contains("--calls requires -i NAME");
        assertThat(Offhook.run("threads", "self", "-i", "lo").err()).contains("--interface requires --calls");
        assertThat(Offhook.run("threads", "self", "--calls", "-i", "lo", "--format", "csv")
                        .err())
                .contains("--format json");
        assertThat(Offhook.run("threads", "self", "--calls", "-i", "lo", "--every", "1")
                        .err())
                .contains("--every cannot be combined with --calls");
        assertThat(Offhook.run("threads", "self", "--calls", "-i", "none0").err())
                .contains("there is no interface none0");
        Process sleep = new ProcessBuilder("sleep", "60").start();
        try {
            Offhook.Result result = Offhook.run("threads", Long.toString(sleep.pid()), "--calls", "-i", "lo");
            assertThat(result.err()).contains("is no HotSpot JVM");
            assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        } finally {
            sleep.destroyForcibly();
        }
        Process apart = new ProcessBuilder("unshare", "-n", "sh", "-c", "echo; sleep 60").start();
        try {
            assertThat(apart.inputReader().readLine()).isEmpty();
            assertThat(Offhook.run("threads", Long.toString(apart.pid()), "--calls", "-i", "lo")
                            .err())
                    .contains("is in another network namespace")
                    .contains("nsenter");
        } finally {
            apart.descendants().forEach(ProcessHandle::destroyForcibly);
            apart.destroyForcibly();
        }
        Process ended = new ProcessBuilder("true").start();
        assertThat(ended.waitFor()).isZero();
        assertThat(Offhook.run("threads", Long.toString(ended.pid()), "--calls", "-i", "lo")
                        .err())
                .contains("there is no process " + ended.pid());
    }
}
