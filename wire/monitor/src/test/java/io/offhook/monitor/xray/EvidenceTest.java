package io.offhook.monitor.xray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The causes of gaps, from samples each two milliseconds on a clock of the test. */
class EvidenceTest {
    private static final long MS = 1_000_000;
    private static final long STEP = 2 * MS;
    private static final long EPOCH = 1_700_000_000_000L * MS;
    private static final long QUEUE = 7;
    private static final int READER = 1;
    private static final int WORKER = 2;
    private static final int OTHER = 3;

    private final Evidence evidence = new Evidence();
    private final Map<Integer, Doing> doing = new HashMap<>();
    private long nowMs;
    private long waiting;

    /** What a thread does until told otherwise. */
    private record Doing(String name, Activity activity, double ran, double waited) {}

    private void thread(int id, String name, Activity activity) {
        thread(id, name, activity, 0, 0);
    }

    private void thread(int id, String name, Activity activity, double ran, double waited) {
        doing.put(id, new Doing(name, activity, ran, waited));
    }

    private void until(long ms) {
        while (nowMs < ms) {
            nowMs += 2;
            sample();
        }
    }

    private void sample() {
        evidence.begin(EPOCH + nowMs * MS);
        doing.forEach((id, one) -> evidence.thread(
                id,
                one.name(),
                one.activity(),
                EPOCH + nowMs * MS,
                Math.round(one.ran() * STEP),
                Math.round(one.waited() * STEP)));
        evidence.queue(QUEUE, waiting);
    }

    /** A turn on a processor that is long enough for a system call. */
    private void blip(int id, String name, Activity afterwards) {
        thread(id, name, Activity.RUNNABLE, 0.05, 0);
        until(nowMs + 2);
        thread(id, name, afterwards);
    }

    private static Gap gap(double fromMs, double toMs) {
        return new Gap(EPOCH + Math.round(fromMs * MS), EPOCH + Math.round(toMs * MS), QUEUE);
    }

    /** The milliseconds of each cause. */
    private Map<Cause, Double> judge(Gap gap) {
        List<Slice> slices = evidence.judge(gap);
        Map<Cause, Double> ms = new EnumMap<>(Cause.class);
        long at = gap.fromNs();
        for (Slice slice : slices) {
            assertThat(slice.fromNs()).isEqualTo(at);
            assertThat(slice.ns()).isPositive();
            at = slice.toNs();
            ms.merge(slice.cause(), slice.ns() / (double) MS, Double::sum);
        }
        assertThat(at).isEqualTo(gap.toNs());
        return ms;
    }

    private String what(Gap gap, Cause cause) {
        return evidence.judge(gap).stream()
                .filter(slice -> slice.cause() == cause)
                .findFirst()
                .map(Slice::what)
                .orElse("");
    }

    /** A reader that waits for its socket, and takes a message at 101 ms. */
    private void readAt100() {
        thread(READER, "reader", Activity.NATIVE);
        thread(WORKER, "worker", Activity.PARK);
        until(100);
        blip(READER, "reader", Activity.NATIVE);
    }

    private void sentAt(long ms) {
        until(ms);
        blip(WORKER, "worker", Activity.PARK);
        until(ms + 40);
    }

    @Test
    void aThreadThatSleepsUntilItAnswersWaitsForSomethingElse() {
        readAt100();
        thread(WORKER, "worker", Activity.SLEEP);
        sentAt(300);
        Gap gap = gap(101, 301);
        assertThat(judge(gap).get(Cause.WAITING)).isGreaterThan(195);
        assertThat(what(gap, Cause.WAITING)).startsWith("worker");
    }

    @Test
    void aThreadThatRunsUntilItAnswersIsOnAProcessor() {
        readAt100();
        thread(WORKER, "worker", Activity.RUNNABLE, 1, 0);
        sentAt(300);
        Gap gap = gap(101, 301);
        assertThat(judge(gap).get(Cause.CPU)).isGreaterThan(195);
        assertThat(what(gap, Cause.CPU)).isIn("worker", "reader");
    }

    @Test
    void runsThatAreAccountedAtTicksOnlyAreWhole() {
        readAt100();
        while (nowMs < 300) { // a tick each four milliseconds
            thread(WORKER, "worker", Activity.RUNNABLE, nowMs % 4 == 0 ? 2 : 0, 0);
            until(nowMs + 2);
        }
        sentAt(300);
        assertThat(judge(gap(101, 301)).get(Cause.CPU)).isGreaterThan(190);
    }

    @Test
    void aWaitInARunQueueIsAccountedWhenItEnds() {
        readAt100();
        thread(WORKER, "worker", Activity.RUNNABLE);
        until(298);
        thread(WORKER, "worker", Activity.RUNNABLE, 0.05, 98);
        until(300);
        sentAt(300);
        Map<Cause, Double> ms = judge(gap(101, 301));
        assertThat(ms.get(Cause.RUN_QUEUE)).isBetween(180.0, 199.0);
    }

    @Test
    void turnsThatAreSeenLateMakeRoomForEachOther() {
        readAt100();
        // ten milliseconds without a processor, then four on it, which are accounted with the next wait
        for (int i = 0; i < 10; i++) {
            thread(WORKER, "worker", Activity.RUNNABLE);
            until(nowMs + 8);
            thread(WORKER, "worker", Activity.RUNNABLE, 0, 5);
            until(nowMs + 2);
            thread(WORKER, "worker", Activity.RUNNABLE);
            until(nowMs + 2);
            thread(WORKER, "worker", Activity.RUNNABLE, 2, 0);
            until(nowMs + 2);
        }
        double sentMs = nowMs;
        sentAt(nowMs);
        Map<Cause, Double> ms = judge(gap(102, sentMs));
        assertThat(ms.get(Cause.RUN_QUEUE)).isBetween(92.0, 100.0);
        assertThat(ms.get(Cause.CPU)).isBetween(38.0, 46.0);
    }

    @Test
    void aBlockedThreadNamesItsLockAndTheOwner() {
        readAt100();
        thread(WORKER, "worker", Activity.MONITOR);
        until(150);
        assertThat(evidence.isBlockUnknown(WORKER, 20 * MS)).isTrue();
        assertThat(evidence.isBlockUnknown(WORKER, 60 * MS)).isFalse();
        assertThat(evidence.isBlockUnknown(READER, 20 * MS)).isFalse();
        evidence.blocked(WORKER, EPOCH + 150 * MS, "a.B@1, which other has");
        assertThat(evidence.isBlockUnknown(WORKER, 20 * MS)).isFalse();
        sentAt(300);
        Gap gap = gap(101, 301);
        assertThat(judge(gap).get(Cause.MONITOR)).isGreaterThan(195);
        assertThat(what(gap, Cause.MONITOR)).isEqualTo("worker, on a.B@1, which other has");
    }

    @Test
    void aLockThatWasSeenInAnEarlierBlockIsNotThatOfALaterOne() {
        readAt100();
        thread(WORKER, "worker", Activity.MONITOR);
        until(150);
        evidence.blocked(WORKER, EPOCH + 150 * MS, "a.B@1, which other has");
        thread(WORKER, "worker", Activity.PARK);
        until(200);
        thread(WORKER, "worker", Activity.MONITOR);
        sentAt(300);
        Gap gap = gap(190, 301);
        assertThat(what(gap, Cause.MONITOR)).isEqualTo("worker, on a lock that was not seen");
    }

    @Test
    void pausesHaveTheirExactTimesWhateverThreadsDo() {
        readAt100();
        thread(WORKER, "worker", Activity.RUNNABLE, 1, 0);
        sentAt(300);
        evidence.pause(EPOCH + 150 * MS, EPOCH + 190 * MS + 123, true, "G1 Evacuation Pause");
        evidence.pause(EPOCH + 180 * MS, EPOCH + 200 * MS, false, "PrintThreads");
        evidence.pause(EPOCH + 400 * MS, EPOCH + 500 * MS, false, "after it");
        Gap gap = gap(101, 301);
        Map<Cause, Double> ms = judge(gap);
        assertThat(ms.get(Cause.GC)).isEqualTo(40.000123);
        assertThat(ms.get(Cause.SAFEPOINT)).isEqualTo(9.999877);
        assertThat(what(gap, Cause.GC)).isEqualTo("G1 Evacuation Pause");
    }

    @Test
    void aMessageThatNobodyReadsIsUnreadWhateverElseRuns() {
        thread(READER, "reader", Activity.SLEEP);
        thread(OTHER, "other", Activity.RUNNABLE, 1, 0);
        until(100);
        evidence.arrived(QUEUE, EPOCH + 101 * MS, 0);
        waiting = 1280;
        until(300);
        waiting = 0;
        blip(READER, "reader", Activity.NATIVE);
        until(340);
        Gap gap = gap(101, 301);
        assertThat(judge(gap).get(Cause.UNREAD)).isGreaterThan(195);
        assertThat(what(gap, Cause.UNREAD)).isEqualTo("reader sleeps");
    }

    @Test
    void aMessageIsReadOnceLessWaitsThanCameBehindIt() {
        readAt100();
        evidence.arrived(QUEUE, EPOCH + 103 * MS, 0);
        waiting = 1280;
        until(140);
        evidence.arrived(QUEUE, EPOCH + 140 * MS, 0);
        waiting = 2560; // both
        until(200);
        waiting = 1280; // the first was read
        thread(READER, "reader", Activity.SLEEP);
        until(298);
        blip(READER, "reader", Activity.NATIVE);
        until(340);
        Map<Cause, Double> first = judge(gap(103, 299));
        assertThat(first.get(Cause.UNREAD)).isBetween(95.0, 101.0);
        assertThat(first.get(Cause.WAITING)).isGreaterThan(95);
        assertThat(judge(gap(140, 299)).get(Cause.UNREAD)).isGreaterThan(155);
    }

    @Test
    void aThreadThatIsBusyBeforeAndAfterHasNoPart() {
        thread(OTHER, "other", Activity.RUNNABLE, 1, 0);
        readAt100();
        thread(WORKER, "worker", Activity.SLEEP);
        sentAt(300);
        assertThat(judge(gap(101, 301)).get(Cause.WAITING)).isGreaterThan(195);
    }

    @Test
    void aThreadThatIsBusyBeforeAndAfterHasAPartIfNoOtherCouldHaveAnswered() {
        thread(OTHER, "other", Activity.RUNNABLE, 1, 0);
        until(400);
        assertThat(judge(gap(101, 301))).containsOnlyKeys(Cause.CPU);
    }

    @Test
    void aThreadThatIsBlockedForGoodHasNoPart() {
        thread(OTHER, "other", Activity.MONITOR);
        readAt100();
        thread(WORKER, "worker", Activity.SLEEP);
        sentAt(300);
        assertThat(judge(gap(101, 301))).doesNotContainKey(Cause.MONITOR);
    }

    @Test
    void whatIsShorterThanTwoSamplesIsNotSeenButForPauses() {
        readAt100();
        until(200);
        evidence.pause(EPOCH + 110 * MS, EPOCH + 111 * MS, true, "Pause");
        assertThat(judge(gap(109.5, 111.5))).containsOnlyKeys(Cause.GC, Cause.UNSEEN);
        assertThat(judge(gap(109.5, 111.5)).get(Cause.GC)).isEqualTo(1.0);
        assertThat(judge(gap(150, 150))).isEmpty();
    }

    @Test
    void aTimeWithoutSamplesIsNotSeen() {
        readAt100();
        thread(WORKER, "worker", Activity.SLEEP);
        until(200);
        nowMs = 498; // the sampler had no processor
        sentAt(600);
        Map<Cause, Double> ms = judge(gap(101, 601));
        assertThat(ms.get(Cause.UNSEEN)).isBetween(195.0, 201.0);
        assertThat(ms.get(Cause.WAITING)).isGreaterThan(290);
    }

    @Test
    void whatIsForgottenIsNotSeen() {
        readAt100();
        sentAt(300);
        evidence.forget(EPOCH + 200 * MS);
        Map<Cause, Double> ms = judge(gap(101, 301));
        assertThat(ms.get(Cause.UNSEEN)).isBetween(95.0, 100.0);
        evidence.forget(EPOCH + 10_000 * MS);
        assertThat(judge(gap(101, 301))).containsOnlyKeys(Cause.UNSEEN);
    }

    @Test
    void aClockThatWasSetBackDoesNotBreakIt() {
        readAt100();
        nowMs = 50;
        until(90);
        nowMs = 110;
        until(200);
        assertThat(evidence.sampledNs()).isEqualTo(EPOCH + 200 * MS);
        assertThat(judge(gap(101, 190))).isNotEmpty();
    }

    @Test
    void refusesAGapThatEndsBeforeItBegins() {
        assertThatThrownBy(() -> gap(2, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("before it begins");
    }
}
