package io.offhook.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.CallReport;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveCounts;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.text.Times;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LiveCallSourceTest {
    private static final String CALLS = "../../samples/calls.pcap";
    private static final View VIEW = new View(Times.of(true), true);

    private static LiveCallSource source(int remembered, LiveCounts counts) {
        LiveCallSource source = new LiveCallSource(
                new FileOnTheWire(CaptureFiles.open(CALLS), counts),
                "eth7",
                () -> false,
                VIEW,
                LanePlacement.anywhere(),
                2,
                remembered);
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(2).withKeptCalls(20_000);
        source.start(options.withMedia(options.media().withIntervals(true)));
        return source;
    }

    @Test
    void dropsAreInSightOnEveryPage() {
        try (Walkthrough walk =
                Walkthrough.of(source(100, new LiveCounts(70_000, 60_000, 0, 4_321, 7, 0)), VIEW, 120, 40)) {
            String drops = "dropped by kernel 7, ring 4,321, budget 0";
            walk.untilShown("12 calls").untilShown(drops);
            walk.press(Key.Kind.ENTER).untilShown("sip:alice@example.com").untilShown(drops);
            walk.press(Key.Kind.ENTER).untilShown("message 1 of 7").untilShown(drops);
            walk.press(Key.Kind.ESCAPE).type("t").untilShown("streams of").untilShown(drops);
            walk.type("?").untilShown("Everywhere").untilShown(drops);
        }
    }

    @Test
    void theOldestCallsGoFirstAndThatIsSaid() {
        try (Walkthrough walk = Walkthrough.of(source(5, LiveCounts.NONE), VIEW, 120, 20)) {
            walk.untilShown("the oldest 7 calls forgotten: memory is bounded");
            assertThat(walk.page())
                    .contains(": 5 calls", "   8 ", "  12 ", "ivan", "walter")
                    .doesNotContain("alice", "carol           dave");
        }
    }

    @Test
    void packetsAreNotKeptAndTextIsWritten(@TempDir Path folder) throws Exception {
        try (LiveCallSource source = source(100, LiveCounts.NONE)) {
            Walkthrough walk = Walkthrough.of(source, VIEW, 120, 20).untilShown("12 calls");
            List<CallReport> calls = source.state().result().calls();
            assertThat(source.save(calls, folder.resolve("calls.pcapng"))).isCompletedExceptionally();
            Path text = folder.resolve("calls.txt");
            assertThat(source.save(calls, text).join()).contains("12 calls written to");
            assertThat(Files.readString(text)).contains("alice", "INVITE");
            walk.close();
        }
    }

    @Test
    void messagesStayWithinTheirLimit() {
        KeptMessages kept = new KeptMessages(20_000);
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(1).withListener(kept);
        List<CallReport> calls = Analysis.run(CaptureFiles.open(CALLS), options).calls();
        assertThat(kept.forgotten()).isPositive();
        assertThat(kept.of(List.of(calls.getFirst()))).isEmpty();
        assertThat(kept.of(List.of(calls.getLast()))).isNotEmpty();
    }
}
