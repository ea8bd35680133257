package io.offhook.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.PerfCounter;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Counts the kernel's own clock of tasks, in nanoseconds, in the place of cycles: there on each machine, and known from elsewhere.
 */
class CycleWatchTest {
    private static final long WORK_NS = 200_000_000L;
    private static final int MOST_LOOKS = 100_000;

    @Test
    void countsWhatEachThreadTakes() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        AtomicLong turns = new AtomicLong();
        Thread works = Thread.ofPlatform().daemon().name("cw-works").start(() -> {
            while (end.getCount() > 0) {
                turns.incrementAndGet();
            }
        });
        CountDownLatch asleep = new CountDownLatch(1);
        Thread waits = Thread.ofPlatform().daemon().name("cw-waits").start(() -> {
            asleep.countDown();
            await(end);
        });
        await(asleep);
        try (ThreadWatch threads = ThreadWatch.of(ProcessHandle.current().pid());
                CycleWatch cycles = new CycleWatch(PerfCounter.Event.TASK_CLOCK)) {
            cycles.look(threads.look());
            ThreadRow row = named("cw-works", threads.look());
            CycleWatch.Counted counted = null;
            // both are of one clock, and read one after the other: the longer it runs, the less is between them
            for (int i = 0; i < MOST_LOOKS && !isNear(counted); i++) {
                List<ThreadRow> rows = threads.look();
                cycles.look(rows);
                row = named("cw-works", rows);
                counted = cycles.of(row.id());
            }
            assertThat(cycles.missing()).isNull();
            assertThat(counted).satisfies(it -> assertThat(isNear(it)).isTrue());
            CycleWatch.Counted slept =
                    cycles.of(named("cw-waits", threads.look()).id());
            assertThat(slept)
                    .isNotNull()
                    .satisfies(it -> assertThat(it.cycles()).isLessThan(WORK_NS));
            assertThat(turns.get()).isPositive();
        } finally {
            end.countDown();
            works.join();
            waits.join();
        }
    }

    @Test
    void aThreadThatDidNotRunHasNoClock() {
        assertThat(new CycleWatch.Counted(0, 0).gigahertz()).isNaN();
        assertThat(new CycleWatch.Counted(30, 10).gigahertz()).isEqualTo(3);
    }

    /** Here or there: the counter is counted, or its absence is said in words. */
    @Test
    void cyclesAreCountedOrMissingWithAReason() throws Exception {
        try (ThreadWatch threads = ThreadWatch.of(ProcessHandle.current().pid());
                CycleWatch cycles = CycleWatch.create()) {
            List<ThreadRow> rows = threads.look();
            cycles.look(rows);
            cycles.look(threads.look());
            String missing = cycles.missing();
            if (missing == null) {
                assertThat(rows)
                        .anySatisfy(row -> assertThat(cycles.of(row.id())).isNotNull());
            } else {
                assertThat(missing).containsAnyOf("no counter of cycles", "may not be counted", "are not counted");
                assertThat(rows)
                        .allSatisfy(row -> assertThat(cycles.of(row.id())).isNull());
            }
        }
    }

    private static boolean isNear(CycleWatch.@Nullable Counted counted) {
        return counted != null && counted.ranNs() > WORK_NS && Math.abs(counted.gigahertz() - 1) < 0.05;
    }

    private static ThreadRow named(String name, List<ThreadRow> rows) {
        return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
