package io.offhook.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class StateCountsTest {
    private static final long SECOND = 1_000_000_000L;

    private static ThreadUse use(double cpu, double waited, long voluntary, long involuntary) {
        return new ThreadUse(
                SECOND, Math.round(cpu * SECOND), 0, Math.round(waited * SECOND), voluntary, involuntary, 0);
    }

    private static StateCounts counts(int running, int sleeping, int park) {
        StateCounts counts = new StateCounts();
        for (int i = 0; i < running; i++) {
            counts.add(JavaState.RUNNING);
        }
        for (int i = 0; i < sleeping; i++) {
            counts.add(JavaState.SLEEPING);
        }
        for (int i = 0; i < park; i++) {
            counts.add(JavaState.PARK);
        }
        return counts;
    }

    @Test
    void aThreadThatRunsJavaRanAsLongAsTheKernelSays() {
        StateTimes times = counts(4, 3, 3).times(use(0.25, 0, 10, 0));
        assertThat(times.runningNs()).isEqualTo(SECOND / 4);
        assertThat(times.sleepingNs()).isEqualTo(times.parkNs()).isEqualTo(SECOND * 3 / 8);
        assertThat(times.elapsedNs()).isEqualTo(SECOND);
    }

    @Test
    void timeInARunQueueIsRunningWhereTheProcessorWasTakenAway() {
        assertThat(counts(5, 5, 0).times(use(0.3, 0.2, 30, 10)).runningNs()).isEqualTo(SECOND * 35 / 100);
        assertThat(counts(5, 5, 0).times(use(0.3, 0.2, 0, 10)).runningNs()).isEqualTo(SECOND / 2);
    }

    @Test
    void aThreadInNativeCodeRunsForAsLongAsSamplesSay() {
        StateCounts counts = counts(0, 5, 0);
        for (int i = 0; i < 5; i++) {
            counts.addRunningOrWaiting();
        }
        assertThat(counts.times(use(0.1, 0, 10, 0)).runningNs()).isEqualTo(SECOND / 2);
    }

    @Test
    void aThreadThatWasNeverSeenWaitingRuns() {
        assertThat(counts(5, 0, 0).times(use(0.9, 0.05, 1, 1)).runningNs()).isEqualTo(SECOND);
    }

    @Test
    void hasNoTimesWithoutSamples() {
        assertThat(new StateCounts().times(use(0.5, 0, 1, 1))).isEqualTo(StateTimes.NONE);
    }

    @Test
    void placesAreCountedRightOnceADumpHasShownThem() {
        long place = 4711;
        WaitKinds kinds = new WaitKinds();
        StateTotals totals = new StateTotals(kinds);
        for (int i = 0; i < 3; i++) {
            totals.begin();
        }
        StateCounts counts = counts(0, 5, 0);
        for (int i = 0; i < 5; i++) {
            counts.addAt(place);
        }
        totals.add(1, counts, use(0, 0, 10, 0), false);
        assertThat(totals.of(1)).isEqualTo(new StateTimes(SECOND / 2, SECOND / 2, 0, 0, 0));
        kinds.learn(place, JavaState.PARK);
        totals.begin();
        assertThat(totals.of(1)).isEqualTo(new StateTimes(0, SECOND / 2, 0, SECOND / 2, 0));
        totals.retain(Set.of());
        assertThat(totals.of(1)).isEqualTo(StateTimes.NONE);
    }

    @Test
    void theMajorityOfDumpsDecidesWhatThreadsDoAtAPlace() {
        WaitKinds kinds = new WaitKinds();
        assertThat(kinds.at(1)).isNull();
        kinds.learn(1, JavaState.SLEEPING);
        kinds.learn(1, JavaState.PARK);
        kinds.learn(1, JavaState.PARK);
        assertThat(kinds.at(1)).isEqualTo(JavaState.PARK);
        assertThat(kinds.at(0)).isEqualTo(JavaState.RUNNING);
    }
}
