package io.offhook.cli.xray;

import static io.offhook.cli.xray.Messages.CALLER;
import static io.offhook.cli.xray.Messages.PROXY;
import static io.offhook.cli.xray.Messages.at;
import static io.offhook.cli.xray.Messages.forwarded;
import static io.offhook.cli.xray.Messages.request;
import static io.offhook.cli.xray.Messages.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Offhook;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LiveCounts;
import io.offhook.monitor.Processes;
import io.offhook.monitor.xray.Cause;
import io.offhook.monitor.xray.Slice;
import io.offhook.report.text.Times;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class XrayTextTest {
    private static final SeenMessage INVITE = request(0, CALLER, PROXY, "INVITE", 1);
    private static final SeenMessage TRYING = response(1, PROXY, CALLER, 100, 1, 0);
    private static final SeenMessage PASSED_ON = forwarded(101, "INVITE", 9, 1);
    private static final SeenMessage BYE = request(200, CALLER, PROXY, "BYE", 2);

    private final XrayTotals totals = new XrayTotals();
    private final CallLog log = new CallLog();

    private static Slice slice(long fromMs, long toMs, Cause cause, String what) {
        return new Slice(at(fromMs), at(toMs), cause, what);
    }

    private void add(FoundGap gap, Slice... slices) {
        JudgedGap judged = new JudgedGap(gap, List.of(slices));
        totals.add(judged);
        log.add(judged);
    }

    private void call() {
        log.add(INVITE, true);
        log.add(TRYING, false);
        log.add(PASSED_ON, false);
        log.add(BYE, true);
        add(new FoundGap(INVITE, TRYING, at(0), at(1), false, 0), slice(0, 1, Cause.UNSEEN, ""));
        add(
                new FoundGap(INVITE, PASSED_ON, at(1), at(101), true, 2),
                slice(1, 76, Cause.MONITOR, "lane, on a.B@1, which other has"),
                slice(76, 101, Cause.CPU, "lane"));
        add(new FoundGap(BYE, null, at(200), at(32_200), false, 0), slice(200, 32_200, Cause.WAITING, "lane sleeps"));
    }

    private static XrayState state(LiveCounts counts, List<String> notes) {
        return new XrayState(
                new Processes.Named(7, "java proxy.jar"),
                "eth0",
                at(0),
                10_000_000_000L,
                2_000_000,
                0.05,
                true,
                new XrayState.Messages(2, 2, 9),
                0,
                0,
                counts,
                notes);
    }

    private String report(LiveCounts counts, List<String> notes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new Offhook().terminal(out, out);
        StringBuilder text = new StringBuilder();
        new XrayText(terminal, new OutputOptions(Format.TABLE, Terminal.ColorMode.NEVER, Times.of(true)))
                .report(state(counts, notes), totals, log, text);
        return text.toString();
    }

    @Test
    void sumsAreOfAnsweredGapsAndLaddersHaveBars() throws IOException {
        call();
        String text = report(LiveCounts.NONE, List.of());
        assertThat(text)
                .contains("2 gaps of 0.10 s together, 1 request without answer in 10.0 s")
                .containsPattern(
                        "blocked on a monitor +74\\.3 +0\\.075 +1 +lane, on a\\.B@1, which other has \\(0\\.08 s\\)")
                .containsPattern("on a processor +24\\.8 +0\\.025 +0 ")
                .containsPattern("32,?000\\.0 .*BYE +no answer")
                .containsPattern(
                        "100\\.0 .*100 Trying for INVITE \\(sent 3 times\\) +INVITE +call@host +monitor 75, cpu 25")
                .contains("The process has ended.");
        String ladder = text.substring(text.indexOf("Call call@host"));
        assertThat(ladder.lines().map(String::strip).toList())
                .containsSubsequence(
                        "22:13:20.000000  --> INVITE                  192.0.2.1:5060",
                        "1.0 ms since INVITE: too short to see, or not sampled",
                        "22:13:20.001000  <-- 100                     192.0.2.1:5060",
                        "M".repeat(45) + "C".repeat(15)
                                + "  100.0 ms since 100 Trying for INVITE: monitor 75, cpu 25 %",
                        "lane, on a.B@1, which other has",
                        "22:13:20.101000  <-- INVITE                  192.0.2.3:5060",
                        "22:13:20.200000  --> BYE                     192.0.2.1:5060",
                        "W".repeat(60) + "  32000.0 ms since BYE, no answer: waiting 100 %");
    }

    @Test
    void saysWhatIsMissing() throws IOException {

        String text = report(new LiveCounts(9, 4, 0, 5, 0, 1), List.of("pauses are missing, because of this"));
        assertThat(text).contains("5 packets dropped").contains("pauses are missing, because of this.");
        assertThat(text).doesNotContain("Cause ").doesNotContain("Longest");
    }
}
