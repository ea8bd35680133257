package io.offhook.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Offhook;
import io.offhook.cli.terminal.Style;
import io.offhook.testkit.traffic.Scenarios;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of the samples as text, which people have looked at. */
class ScreensTest {
    private static final String CALLS = "../../samples/calls.pcap";
    private static final String LOSSY = "../../samples/lossy.pcap";

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120, 250})
    void theListFitsTheWidth(int columns) throws Exception {
        try (Walkthrough walk = Walkthrough.of(columns, 20, CALLS)) {
            walk.looksLike("list-" + columns);
        }
    }

    @Test
    void withoutUnicodeAllIsAscii() throws Exception {
        try (Walkthrough walk = Walkthrough.ascii(90, 30, CALLS)) {
            walk.press(Key.Kind.ENTER).untilShown("Outcome").looksLike("ladder-ascii");
            assertThat(walk.page().chars()).allMatch(c -> c < 0x80);
            walk.type("t");
            assertThat(walk.page().chars()).allMatch(c -> c < 0x80);
        }
    }

    @Test
    void aLadderHasMessagesMediaAndMomentsOfLoss() throws Exception {
        try (Walkthrough walk = Walkthrough.of(120, 60, LOSSY)) {
            walk.press(Key.Kind.ENTER).untilShown("Outcome").looksLike("ladder-lossy");
        }
    }

    @Test
    void aLadderHasWhatFarEndsReported(@TempDir Path folder) throws Exception {
        Path file = Scenarios.traffic("rtcp", 5).capture().writeTo(folder.resolve("rtcp.pcap"));
        try (Walkthrough walk = Walkthrough.of(120, 80, file.toString())) {
            walk.press(Key.Kind.ENTER).untilShown("Outcome");
            assertThat(walk.page()).contains("RTCP: far end lost 0.0 %", "RTP ends after");
        }
    }

    @Test
    void aMessageIsExplained() throws Exception {
        try (Walkthrough walk = Walkthrough.of(140, 40, CALLS)) {
            walk.press(Key.Kind.ENTER).untilShown("Outcome").press(Key.Kind.ENTER);
            walk.looksLike("message");
        }
    }

    @Test
    void aMessageShowsWhatChangedSinceTheOneBeforeOfItsKind() throws Exception {
        try (Walkthrough walk = Walkthrough.of(100, 44, CALLS)) {
            walk.type("/-").press(Key.Kind.BACKSPACE).type("bob carol").press(Key.Kind.ENTER);
            walk.press(Key.Kind.ENTER).untilShown("Hold").press(Key.Kind.ENTER);
            while (!walk.page().contains("- is gone")) {
                walk.press(Key.Kind.RIGHT);
            }
            walk.looksLike("message-difference");
            walk.type("d");
            assertThat(walk.page()).contains("d shows what changed").doesNotContain("- is gone");
        }
    }

    @Test
    void streamsAreDrawnOverTime() throws Exception {
        try (Walkthrough walk = Walkthrough.of(100, 30, LOSSY)) {
            walk.press(Key.Kind.ENTER).untilShown("Outcome").type("t").looksLike("streams");
        }
    }

    @Test
    void offerAndAnswerStandSideBySide() throws Exception {
        try (Walkthrough walk = Walkthrough.of(100, 30, CALLS)) {
            walk.press(Key.Kind.ENTER).untilShown("Outcome").type("d").looksLike("sessions");
        }
    }

    @Test
    void statisticsAreThoseOfTheListedCalls() throws Exception {
        try (Walkthrough walk = Walkthrough.of(100, 20, CALLS)) {
            walk.type("/--outcome busy").press(Key.Kind.ENTER).type("i").looksLike("statistics");
        }
    }

    @Test
    void helpNamesTheKeysOfThePage() throws Exception {
        try (Walkthrough walk = Walkthrough.of(100, 30, CALLS)) {
            walk.type("?").looksLike("help");
            walk.press(Key.Kind.ESCAPE)
                    .press(Key.Kind.ENTER)
                    .untilShown("Outcome")
                    .press(Key.function(1));
            assertThat(walk.page()).contains("session descriptions: offer and answer side by side");
        }
    }

    @Test
    void listsTheCallsThatOffhookCallsLists() {
        List<String> numbers = Offhook.done("calls", CALLS, "--sort", "loss", "--format", "csv")
                .out()
                .lines()
                .skip(1)
                .map(line -> line.split(",", -1)[0])
                .toList();
        try (Walkthrough walk = Walkthrough.of(250, 40, CALLS)) {
            walk.type("/--sort loss").press(Key.Kind.ENTER);
            for (String id : numbers) {
                walk.press(Key.Kind.ENTER).untilShown("Call-ID ");
                assertThat(walk.page()).contains("call " + id);
                walk.press(Key.Kind.ESCAPE).press(Key.Kind.DOWN);
            }
        }
    }

    @Test
    void aWrongFilterIsSaidAndChangesNothing() {
        try (Walkthrough walk = Walkthrough.of(120, 20, CALLS)) {
            walk.type("/--outcome bussy").press(Key.Kind.ENTER);
            assertThat(walk.page()).contains("--outcome bussy is not an outcome", "12 calls");
        }
    }

    @Test
    void escapeRemovesTheFilter() {
        try (Walkthrough walk = Walkthrough.of(120, 20, CALLS)) {
            walk.type("/carol").press(Key.Kind.ENTER);
            assertThat(walk.page()).contains("of 12 calls", "filter carol");
            walk.press(Key.Kind.ESCAPE);
            assertThat(walk.page()).contains(": 12 calls").doesNotContain("filter carol");
        }
    }

    @Test
    void theCursorStaysOnItsCallWhenTheOrderChanges() {
        try (Walkthrough walk = Walkthrough.of(120, 20, CALLS)) {
            walk.press(Key.Kind.DOWN, Key.Kind.DOWN);
            String before = cursorLine(walk.cells());
            walk.type("s");
            assertThat(cursorLine(walk.cells())).isEqualTo(before);
        }
    }

    @Test
    void savesSelectedCallsAsPacketsAndAsText(@TempDir Path folder) throws Exception {
        Path packets = folder.resolve("two.pcapng");
        try (Walkthrough walk = Walkthrough.of(160, 20, CALLS)) {
            walk.type(" ").press(Key.Kind.DOWN).type(" ");
            assertThat(walk.page()).contains("2 selected");
            save(walk, "calls.pcapng", packets);
            walk.untilShown("of 2 calls written to");
            assertThat(Offhook.done("calls", packets.toString(), "--format", "csv")
                            .out()
                            .lines())
                    .hasSize(3);
            Path text = folder.resolve("two.txt");
            save(walk, "calls.pcapng", text);
            walk.untilShown("2 calls written to");
            assertThat(Files.readString(text)).contains("alice", "INVITE", "RTP PCMA", "Jitter ms");
            save(walk, "calls.pcapng", text);
            walk.untilShown("exists already; choose another name");
        }
    }

    @Test
    void selectedCallsShareALadder() {
        try (Walkthrough walk = Walkthrough.of(120, 60, CALLS)) {
            walk.type(" ").press(Key.Kind.DOWN, Key.Kind.DOWN).type(" ").press(Key.Kind.ENTER);
            walk.untilShown("2: 486 Busy Here");
            assertThat(walk.page())
                    .contains("2 calls, the first", "Call 1", "sip:alice@", "Call 2", "sip:carol@", "busy (486)")
                    .contains("1: INVITE", "1: RTP PCMA", "2: INVITE");
            int first = row(walk.page(), "1: BYE");
            assertThat(row(walk.page(), "2: INVITE")).isBetween(row(walk.page(), "1: INVITE"), first);
            walk.press(Key.Kind.END).press(Key.Kind.ENTER).untilShown("CSeq");
            walk.press(Key.Kind.ESCAPE).untilShown("Enter message");
            walk.type("t").untilShown("streams of 2 calls");
        }
    }

    @Test
    void aLadderOfTooManyCallsIsRefused() {
        try (Walkthrough walk = Walkthrough.of(120, 20, CALLS)) {
            walk.type("*").press(Key.Kind.ENTER);
            assertThat(walk.page()).contains("12 calls are selected; one ladder shows 10 at most");
        }
    }

    @Test
    void savesSelectedCallsAsScenariosOfSipp(@TempDir Path folder) throws Exception {
        Path scenarios = folder.resolve("two.sipp");
        try (Walkthrough walk = Walkthrough.of(160, 20, CALLS)) {
            walk.type(" ").press(Key.Kind.DOWN, Key.Kind.DOWN).type(" ");
            save(walk, "calls.pcapng", scenarios);
            walk.untilShown("2 sipp scenarios written to");
        }
        for (String call : List.of("1", "2")) {
            assertThat(scenarios.resolve(call)).isDirectoryContaining("glob:**/caller.xml");
        }
        assertThat(Files.readString(scenarios.resolve("1/caller.xml"))).contains("INVITE", "play_pcap_audio");
        // the third call of the list is busy
        assertThat(Files.readString(scenarios.resolve("2/callee.xml"))).contains("486");
    }

    private static void save(Walkthrough walk, String offered, Path file) {
        walk.press(Key.function(2));
        assertThat(walk.page()).contains(offered);
        for (int i = 0; i < offered.length(); i++) {
            walk.press(Key.Kind.BACKSPACE);
        }
        walk.type(file.toString()).press(Key.Kind.ENTER);
    }

    @Test
    void aClickGoesToARowAndASecondOneOpensIt() {
        try (Walkthrough walk = Walkthrough.of(120, 20, CALLS)) {
            int row = row(walk.page(), "erin");
            walk.press(Key.click(row, 30));
            assertThat(cursorLine(walk.cells())).contains("erin");
            walk.press(Key.click(row, 30)).untilShown("sip:erin@example.com");
        }
    }

    private static int row(String page, String text) {
        List<String> lines = page.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(text)) {
                return i;
            }
        }
        throw new AssertionError(text + " is not in\n" + page);
    }

    private static String cursorLine(Cells cells) {
        for (int row = 0; row < cells.height(); row++) {
            if (cells.mark(row, 0) == Cells.Mark.CURSOR) {
                return cells.line(row);
            }
        }
        throw new AssertionError("no cursor in\n" + cells);
    }

    @Test
    void badCallsStandOut() {
        try (Walkthrough walk = Walkthrough.of(120, 20, LOSSY)) {
            Cells cells = walk.cells();
            int row = row(cells.toString(), "answered");
            assertThat(cells.style(row, cells.line(row).length() - 1)).isEqualTo(Style.BAD);
        }
    }

    /** Every size, from none at all, on every page: no exception, and the page is what was asked for. */
    @Test
    void anySizeIsDrawn() {
        try (Walkthrough walk = Walkthrough.of(120, 20, LOSSY)) {
            everySize(walk);
            walk.press(Key.Kind.ENTER).untilShown("Outcome");
            everySize(walk);
            walk.resized(120, 60).press(Key.Kind.ENTER);
            everySize(walk);
            walk.press(Key.Kind.ESCAPE).type("t");
            everySize(walk);
            walk.press(Key.Kind.ESCAPE).type("d");
            everySize(walk);
        }
    }

    private static void everySize(Walkthrough walk) {
        for (int columns : new int[] {1, 2, 10, 39, 60, 100, 250}) {
            for (int rows : new int[] {1, 2, 3, 4, 5, 12, 80}) {
                walk.resized(columns, rows).press(Key.Kind.DOWN, Key.Kind.UP);
                assertThat(walk.page().lines()).hasSize(rows);
            }
        }
        walk.resized(120, 20);
    }

    @Test
    void aFileThatCannotBeReadIsSaid(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("no.pcap"), "this is no capture, but text");
        try (Walkthrough walk = Walkthrough.of(120, 10, file.toString())) {
            assertThat(walk.page()).contains("no.pcap", "0 calls", "was expected");
        }
    }

    @Test
    void quits() {
        try (Walkthrough walk = Walkthrough.of(80, 10, CALLS)) {
            walk.type("q");
            assertThat(walk.isOver()).isTrue();
        }
    }
}
