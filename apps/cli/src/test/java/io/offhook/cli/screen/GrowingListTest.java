package io.offhook.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.join.JoinOptions;
import io.offhook.report.text.Times;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list while calls come in: what each state looks like, and that nothing moves under somebody's hands. */
class GrowingListTest {
    private static final View VIEW = new View(Times.of(true), true);
    private static final AnalysisResult CALLS =
            GrowingCalls.read("../../samples/calls.pcap", AnalysisOptions.defaults());

    private static List<CallReport> first(int count) {
        return CALLS.calls().subList(0, count);
    }

    private static Walkthrough walk(GrowingCalls source, int rows) {
        return Walkthrough.of(source, VIEW, 120, rows);
    }

    private static int cursorRow(Cells cells) {
        for (int row = 0; row < cells.height(); row++) {
            if (cells.mark(row, 0) == Cells.Mark.CURSOR) {
                return row;
            }
        }
        throw new AssertionError("no cursor in\n" + cells);
    }

    private static String cursorLine(Cells cells) {
        return cells.line(cursorRow(cells));
    }

    @Test
    void showsTheCallsSoFarAndThePartThatIsRead() {
        GrowingCalls source = new GrowingCalls(CALLS, List.of());
        try (Walkthrough walk = walk(source, 20)) {
            assertThat(walk.page()).contains("big.pcap: 0 calls", "reading, 3 % of 2.6 GB", "No calls so far.");
            source.show(first(3), "43 % of 2.6 GB");
            assertThat(walk.page())
                    .contains("big.pcap: 3 calls", "reading, 43 % of 2.6 GB", "alice", "carol")
                    .doesNotContain("erin", "No calls");
            source.end(first(12));
            assertThat(walk.page()).contains("12 calls, 2 bad", "walter").doesNotContain("reading");
        }
    }

    @Test
    void theCursorStaysOnItsCallAndAtItsPlaceOnThePage() {
        GrowingCalls source = new GrowingCalls(CALLS, first(3));
        try (Walkthrough walk = walk(source, 9)) {
            // in the order of loss, most of the calls that come are before those without media
            walk.type("/--sort loss").press(Key.Kind.ENTER).press(Key.Kind.END);
            Cells before = walk.cells();
            assertThat(cursorLine(before)).contains("carol", "dave");
            source.show(first(12), "99 % of 2.6 GB");
            Cells after = walk.cells();
            assertThat(cursorLine(after)).contains("carol", "dave");
            assertThat(cursorRow(after)).isEqualTo(cursorRow(before));
            assertThat(after.toString()).doesNotContain("alice");
        }
    }

    @Test
    void whoLooksAtTheFirstRowGoesOnSeeingTheFirstCall() {
        GrowingCalls source = new GrowingCalls(CALLS, CALLS.calls().subList(9, 10));
        try (Walkthrough walk = walk(source, 9)) {
            assertThat(cursorLine(walk.cells())).contains("bob             carol");
            source.show(CALLS.calls().subList(0, 12), "43 % of 2.6 GB");
            assertThat(cursorLine(walk.cells())).contains("alice");
        }
    }

    @Test
    void selectionFilterAndWhatIsTypedStay() {
        GrowingCalls source = new GrowingCalls(CALLS, first(5));
        try (Walkthrough walk = walk(source, 20)) {
            walk.press(Key.Kind.DOWN).type(" ").press(Key.Kind.DOWN).type(" ");
            walk.type("/carol");
            source.show(first(12), "43 % of 2.6 GB");
            assertThat(walk.page()).contains("Filter: carol_", ": 12 calls");
            walk.press(Key.Kind.ENTER);
            assertThat(walk.page()).contains("2 of 12 calls", "filter carol", "2 selected");
            source.end(first(12));
            assertThat(walk.page()).contains("2 of 12 calls", "filter carol", "2 selected");
        }
    }

    /** What was a call of its own is a leg of another one, once the rest of the file proves it. */
    @Test
    void selectionAndCursorGoOverToTheCallThatALegBelongsTo(@TempDir Path folder) throws Exception {
        Traffic traffic = Traffic.random(12, 0);
        Scenarios.legs().forEach((name, scenario) -> scenario.accept(traffic));
        String file = traffic.capture().writeTo(folder.resolve("legs.pcap")).toString();
        AnalysisOptions options = AnalysisOptions.defaults();
        AnalysisResult apart = GrowingCalls.read(file, options.withJoins(JoinOptions.DEFAULT.withJoins(false)));
        List<CallReport> joined = GrowingCalls.read(file, options).calls();
        CallReport whole = joined.stream()
                .filter(call -> call.dialogs().size() > 1)
                .findFirst()
                .orElseThrow();
        String leg = whole.dialogs().getLast().callId();
        List<String> callIds = apart.calls().stream().map(CallReport::callId).toList();
        assertThat(callIds).contains(leg);

        GrowingCalls source = new GrowingCalls(apart, apart.calls());
        try (Walkthrough walk = walk(source, 60)) {
            for (int i = 0; i < callIds.indexOf(leg); i++) {
                walk.press(Key.Kind.DOWN);
            }
            walk.type(" ");
            source.show(joined, "43 % of 2.6 GB");
            String number = Integer.toString(joined.indexOf(whole) + 1);
            assertThat(cursorLine(walk.cells())).matches("\\s*\\*\\s*" + number + " .*");
            assertThat(walk.page()).contains("1 selected");
            List<CallReport> without = new ArrayList<>(joined);
            without.remove(whole);
            source.show(without, "44 % of 2.6 GB");
            assertThat(walk.page()).doesNotContain("selected");
        }
    }

    @Test
    void escapeEndsWhatIsStillReadButOnlyRemovesAFilter() {
        GrowingCalls source = new GrowingCalls(CALLS, first(5));
        try (Walkthrough walk = walk(source, 20)) {
            walk.type("/carol").press(Key.Kind.ENTER).press(Key.Kind.ESCAPE);
            assertThat(walk.isOver()).isFalse();
            assertThat(walk.page()).doesNotContain("filter carol");
            walk.press(Key.Kind.ESCAPE);
            assertThat(walk.isOver()).isTrue();
        }
        GrowingCalls read = new GrowingCalls(CALLS, first(5));
        read.end(first(12));
        try (Walkthrough walk = walk(read, 20)) {
            walk.press(Key.Kind.ESCAPE);
            assertThat(walk.isOver()).isFalse();
        }
    }

    @Test
    void writingIsSaidToWaitForTheRestOfTheFile() {
        GrowingCalls source = new GrowingCalls(CALLS, first(5));
        try (Walkthrough walk = walk(source, 20)) {
            walk.press(Key.function(2)).press(Key.Kind.ENTER);
            assertThat(walk.page()).contains("writing calls.pcapng when all is read...");
        }
    }
}
