package io.offhook.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.lanes.LaneReport;
import io.offhook.linux.lanes.PublishedLanes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LaneWatchTest {
    private static final long S = 1_000_000_000L;
    private static final ThreadUse NONE = new ThreadUse(0, 0, 0, 0, 0, 0, 0);

    private final Deque<PublishedLanes> published = new ArrayDeque<>();
    private long nowNs;
    private final LaneWatch watch = new LaneWatch(
            () -> Objects.requireNonNullElse(published.poll(), PublishedLanes.NONE),
            () -> nowNs,
            NativeIds.of(ProcessHandle.current().pid()));

    private static LaneReport lane(String name, int id, long busyNs, long idleNs, long frames) {
        return new LaneReport(
                new LaneReport.Identity(name, id, 1),
                LaneReport.State.WORKING,
                0,
                new LaneReport.Counts(busyNs, idleNs, frames / 10, frames, 0, 0, 0),
                null);
    }

    private static ThreadRow thread(int id, int processor) {
        return new ThreadRow(id, "thread", 'R', processor, NONE, NONE, NONE);
    }

    private List<LaneRow> look(long atNs, List<ThreadRow> threads, LaneReport... lanes) {
        published.add(new PublishedLanes(List.of("calls"), List.of(lanes), 0));
        nowNs = atNs;
        return watch.look(threads);
    }

    @Test
    void saysWhatALaneDidInTheLastIntervalAndSinceItWasSeen() {
        look(0, List.of(), lane("a", 7, 100, 900, 5000));
        look(S, List.of(), lane("a", 7, 100 + S / 4, 900 + 3 * S / 4, 6000));
        LaneRow row =
                look(2 * S, List.of(), lane("a", 7, 100 + S, 900 + S, 9000)).getFirst();
        assertThat(row.last().duty()).isEqualTo(0.75);
        assertThat(row.last().frameRate()).isEqualTo(3000);
        assertThat(row.total().duty()).isEqualTo(0.5);
        assertThat(row.total().frameRate()).isEqualTo(2000);
        assertThat(row.report().frames()).isEqualTo(9000);
    }

    @Test
    void countsWhereTheKernelHadIt() {
        look(0, List.of(thread(7, 1)), lane("a", 7, 0, 0, 0));
        LaneRow row = look(S, List.of(thread(7, 1), thread(8, 3)), lane("a", 7, 0, 0, 0))
                .getFirst();
        assertThat(row.isOutOfPlace()).isFalse();
        row = look(2 * S, List.of(thread(7, 2)), lane("a", 7, 0, 0, 0)).getFirst();
        assertThat(row.processor()).isEqualTo(2);
        assertThat(row.seenOn()).containsEntry(1, 2L).containsEntry(2, 1L).hasSize(2);
        assertThat(row.isOutOfPlace()).isTrue(); // pinned to 1
    }

    @Test
    void keepsWhatWasReadLastWhenTheProcessHasEnded() {
        look(0, List.of(), lane("a", 7, 0, 0, 10));
        assertThat(watch.look(List.of()))
                .singleElement()
                .satisfies(row -> assertThat(row.report().frames()).isEqualTo(10));
        assertThat(watch.rows()).hasSize(1);
    }

    @Test
    void hasNoDutyOfALaneThatDoesNotSay() {
        LaneRow row = look(0, List.of(), lane("a", 7, 5, 0, 0)).getFirst();
        assertThat(row.total().duty()).isNaN();
        assertThat(row.report().isMetered()).isFalse();
    }

    @Test
    void takesNumbersThatGoBackForNothing() {
        look(0, List.of(), lane("a", 7, 500, 500, 500));
        LaneRow row = look(S, List.of(), lane("a", 7, 100, 100, 100)).getFirst();
        assertThat(row.last().frames()).isZero();
        assertThat(row.last().busyNs()).isZero();
        assertThat(row.last().duty()).isNaN();
    }

    @Test
    void doesNotMixLanesOfOneName() {
        look(0, List.of(), lane("a", 7, 0, 0, 10), lane("a", 8, 0, 0, 1000));
        List<LaneRow> rows = look(S, List.of(), lane("a", 7, 0, 0, 20), lane("a", 8, 0, 0, 1000));
        assertThat(rows).extracting(row -> row.last().frames()).containsExactly(10L, 0L);
    }
}
