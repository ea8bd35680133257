package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.cli.Offhook;
import io.offhook.cli.StandingReader;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LiveCounts;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.text.Times;
import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LiveCallsScreenTest {
    private static final String ESCAPE = "\u001b";
    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final int COLUMNS = 100;
    private static final int LINES = 14;

    private final StandingReader reader = new StandingReader();
    private final Terminal terminal = new Offhook()
            .onTerminal(COLUMNS)
            .environment("OFFHOOK_LINES", Integer.toString(LINES))
            .terminal(reader, OutputStream.nullOutputStream());
    private final LiveCallsScreen screen = new LiveCallsScreen(
            terminal, new Times(ZoneOffset.UTC), false, new LiveHeading("eth0", START_NS), call -> true);
    private AnalysisResult standing;

    @BeforeEach
    void readCalls() throws IOException {
        try (PacketSource source = CaptureFiles.open("../../samples/calls.pcap")) {
            standing = Analysis.run(source, AnalysisOptions.defaults());
        }
    }

    private void show(int seconds, long received) throws IOException {
        screen.show(
                standing,
                List.of(),
                new LiveCounts(received, received, 0, 3, 0, 0),
                START_NS + seconds * 1_000_000_000L);
    }

    /** The lines of the last page, without what moves the cursor. */
    private List<String> page() {
        String text = reader.text();
        String last = text.substring(text.lastIndexOf(ESCAPE + "[H"));
        return last.replaceAll(ESCAPE + "\\[\\??[0-9;]*[A-Za-z]", "").lines().toList();
    }

    @Test
    void redrawsAPageThatFitsTheWindowAndRestoresTheTerminal() throws IOException {
        reader.readAll();
        show(42, 4_501);
        String first = reader.text();
        assertThat(first).startsWith(ESCAPE + "[?1049h" + ESCAPE + "[?25l" + ESCAPE + "[H");
        List<String> lines = page();
        assertThat(lines.get(0)).startsWith("eth0, 0:42: 4,501 packets").contains("12 ended");
        assertThat(lines.get(1)).startsWith("dropped by kernel 0, ring 3, budget 0");
        assertThat(lines.get(3)).contains("Time", "From", "Outcome");
        assertThat(lines).hasSizeLessThanOrEqualTo(LINES).allMatch(line -> line.length() <= COLUMNS);

        show(43, 4_601);
        assertThat(reader.text().substring(first.length()))
                .startsWith(ESCAPE + "[H")
                .doesNotContain("1049");
        screen.end();
        assertThat(reader.text()).endsWith(ESCAPE + "[?25h" + ESCAPE + "[?1049l");
    }

    @Test
    void skipsPagesWhileOutputIsBehind() throws IOException {
        try (Terminal.Queued _ = terminal.queued()) {
            for (int second = 1; second <= 1_000; second++) {
                show(second, second);
            }
            reader.readAll();
            while (terminal.isBehind()) {
                Thread.onSpinWait();
            }
            show(1_001, 1_001);
            screen.end();
        }
        // the first, that was on its way, and the one as it is now
        assertThat(reader.text().split(ESCAPE + "\\[H", -1)).hasSize(3);
        assertThat(page().getFirst()).startsWith("eth0, 16:41: 1,001 packets");
    }
}
