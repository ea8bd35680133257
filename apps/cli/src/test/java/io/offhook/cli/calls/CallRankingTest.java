package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.testkit.traffic.SentCodec;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code offhook calls} with {@code --sort}, {@code --min-mos}, {@code --max-mos} and {@code --limit}. */
class CallRankingTest {
    @TempDir
    static Path folder;

    private static String capture;

    /** Four calls: without loss, with 4 %, busy after a long time, with 15 %; each longer than the one before. */
    @BeforeAll
    static void writeCapture() {
        Traffic traffic = new Traffic(5)
                .every(1000)
                .call(call -> call.callId("clean").answered().talk(2000).hangUp(Party.CALLER))
                .call(call -> call.callId("little")
                        .media(Party.CALLER, shape -> shape.loss(0.04))
                        .answered()
                        .talk(4000)
                        .hangUp(Party.CALLER))
                .call(call -> call.callId("busy").invite().after(5000).rejected(486, "Busy Here"))
                .call(call -> call.callId("much")
                        .media(Party.CALLEE, shape -> shape.loss(0.15))
                        .answered()
                        .talk(6000)
                        .hangUp(Party.CALLER));
        capture = Captures.write(traffic.capture(), folder, "ranked.pcap");
    }

    private static List<String> callIds(String... options) {
        List<String> args = new ArrayList<>(List.of("calls", "--format", "json", capture));
        args.addAll(List.of(options));
        Offhook.Result result = Offhook.done(args.toArray(String[]::new));
        List<String> ids = new ArrayList<>();
        for (Map<String, Object> call : Json.objects(Json.object(result.out()).get("calls"))) {
            ids.add(Json.text(call, "callId"));
        }
        return ids;
    }

    @ParameterizedTest
    @CsvSource({
        "--sort mos, much little clean busy",
        "--sort loss, much little clean busy",
        "--sort length, much little clean busy",
        "--sort time, clean little busy much",
        "--limit 2, clean little",
        "--limit 2 --sort loss, much little",
        "--limit 9 --outcome busy, busy",
        "--min-mos 4.3, clean",
        "--max-mos 4.3, little much",
        "--min-mos 1 --max-mos 5, clean little much",
        "--sort mos --min-mos 1 --limit 1, much"
    })
    void callsAreOrderedSelectedAndLimited(String options, String expected) {
        assertThat(callIds(options.split(" "))).containsExactly(expected.split(" "));
    }

    @Test
    void aMosIsComparedWithThoseOfItsScale() {
        Traffic traffic = new Traffic(7)
                .every(1000)
                .call(call -> call.callId("wide-lossy")
                        .codec(SentCodec.AMR_WB)
                        .media(Party.CALLER, shape -> shape.loss(0.2))
                        .completed(Party.CALLER, 4000))
                .call(call -> call.callId("wide").codec(SentCodec.AMR_WB).completed(Party.CALLER, 4000))
                .call(call -> call.callId("narrow").completed(Party.CALLER, 4000))
                .call(call -> call.callId("narrow-lossy")
                        .media(Party.CALLER, shape -> shape.loss(0.05))
                        .completed(Party.CALLER, 4000));
        String scales = Captures.write(traffic.capture(), folder, "scales.pcap");
        String table = Offhook.done("calls", "--sort", "mos", "--format", "csv", scales)
                .out();
        assertThat(table).containsSubsequence("\nnarrow-lossy,", "\nnarrow,", "\nwide-lossy,", "\nwide,");
    }

    @Test
    void callsThatTookLongToSetUpComeFirst() {
        assertThat(callIds("--sort", "set-up")).startsWith("busy").hasSize(4);
    }

    @Test
    void callsWithoutJitterComeLast() {
        assertThat(callIds("--sort", "jitter")).endsWith("busy").hasSize(4);
    }

    @Test
    void theTableShowsTheFigureAndKeepsTheNumbers() {
        String table = Offhook.done("calls", "--utc", "--sort", "loss", "--limit", "1", capture)
                .out();
        assertThat(table)
                .contains("Loss %")
                .containsPattern("(?m)^4 +\\S+ .* nb +1[0-9]\\.[0-9] ")
                .contains("1 of 4 calls");
        assertThat(Offhook.done("calls", "--sort", "mos", capture).out()).doesNotContain("Loss %");
        assertThat(Offhook.done("call", "4", capture).out()).contains("much");
    }

    @Test
    void failOnChecksCallsBeyondTheLimit() {
        Offhook.Result result = Offhook.run("calls", "--limit", "1", "--fail-on", "busy", capture);
        assertThat(result.code()).isEqualTo(ExitCode.FOUND);
    }

    @Test
    void failOnJitterIsAboutTheProblemUnlessItComparesTheFigure() {
        Traffic traffic = new Traffic(6)
                .call(call -> call.callId("shaky")
                        .media(Party.CALLER, shape -> shape.stalls(800, 780))
                        .completed(Party.CALLER, 4000));
        String shaky = Captures.write(traffic.capture(), folder, "shaky.pcap");
        assertThat(Offhook.run("calls", "--fail-on", "jitter", capture).code()).isEqualTo(ExitCode.DONE);
        assertThat(Offhook.run("calls", "--fail-on", "jitter<1", capture).code())
                .isEqualTo(ExitCode.FOUND);
        assertThat(Offhook.run("calls", "--fail-on", "jitter", shaky).err()).contains("1 call, the first is shaky");
    }

    @ParameterizedTest
    @CsvSource({
        "--min-mos 6, --min-mos 6 is not a MOS from 1 to 5",
        "--max-mos good, --max-mos good is not a MOS",
        "--min-mos 4 --max-mos 3.5, --min-mos 4 is above --max-mos 3.5",
        "--limit 0, --limit 0 is below 1",
        "--sort price, '--sort price is not one of mos, loss, jitter, set-up, length, time'"
    })
    void whatCannotBeIsRefused(String options, String message) {
        List<String> args = new ArrayList<>(List.of("calls", capture));
        args.addAll(List.of(options.split(" ")));
        Offhook.Result result = Offhook.run(args.toArray(String[]::new));
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains(message);
    }
}
