package io.offhook.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Holds what the kernel says of threads that do known things against what the JVM says of them. */
class ThreadWatchTest {
    private static final ThreadMXBean JVM = ManagementFactory.getThreadMXBean();
    private static final long WORK_NS = 500_000_000L;

    private final AtomicBoolean isOver = new AtomicBoolean();

    /** Looked at while it waits: of a thread that runs, the kernel knows what it had at its last tick. */
    @Test
    void aThreadThatWorkedRanAsLongAsTheJvmSays() throws Exception {
        CountDownLatch work = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread working = start("works", () -> {
            await(work);
            long until = JVM.getCurrentThreadCpuTime() + WORK_NS;
            while (JVM.getCurrentThreadCpuTime() < until) {
                Thread.onSpinWait();
            }
            isOver.set(true);
            await(end);
        });
        try (ThreadWatch watch = ThreadWatch.of(ProcessHandle.current().pid())) {
            ThreadRow before = asleep("works", working, watch);
            long beforeNs = ranNs(working);
            work.countDown();
            while (!isOver.get()) {
                Thread.onSpinWait();
            }
            ThreadRow after = asleep("works", working, watch);
            assertThat(ns(after.total()) - ns(before.total()))
                    .isEqualTo(ranNs(working) - beforeNs)
                    .isGreaterThanOrEqualTo(WORK_NS);
            assertThat(after.id()).isEqualTo(before.id());
            assertThat(after.processor()).isNotNegative();
            assertThat(after.isEnded()).isFalse();
        } finally {
            end.countDown();
        }
    }

    private static long ns(ThreadUse use) {
        return use.userNs() + use.systemNs();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread once it waits, for the JVM and for the kernel. */
    private static ThreadRow asleep(String name, Thread thread, ThreadWatch watch) throws IOException {
        ThreadRow row = named(name, watch.look());
        while (thread.getState() != Thread.State.WAITING || row.state() != 'S') {
            row = named(name, watch.look());
        }
        return named(name, watch.look());
    }

    @Test
    void aThreadThatWaitsGivesItsProcessorUp() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread waiting = start("waits", () -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (ThreadWatch watch = ThreadWatch.of(ProcessHandle.current().pid())) {
            while (waiting.getState() != Thread.State.WAITING
                    || named("waits", watch.look()).state() != 'S') {
                Thread.onSpinWait();
            }
            ThreadRow row = named("waits", watch.look());
            assertThat(row.last().userNs() + row.last().systemNs()).isZero();
            assertThat(row.last().waitedNs()).isZero();
            assertThat(row.last().cpu()).isZero();
            assertThat(row.last().voluntarySwitches()).isZero();
        } finally {
            end.countDown();
        }
    }

    @Test
    void aThreadThatEndsIsReportedOnceMore() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread ending = start("ends", () -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (ThreadWatch watch = ThreadWatch.of(ProcessHandle.current().pid())) {
            named("ends", watch.look());
            end.countDown();
            ending.join();
            // the kernel ends it a little after the JVM does
            List<ThreadRow> rows = watch.look();
            while (!named("ends", rows).isEnded()) {
                rows = watch.look();
            }
            assertThat(watch.look()).noneMatch(row -> row.name().equals("ends"));
            assertThat(watch.isOver()).isFalse();
            assertThat(watch.unwatched()).isZero();
        }
    }

    @Test
    void whatWasCountedIsKeptWhenTheProcessEnds() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try (ThreadWatch watch = ThreadWatch.of(process.pid())) {
            process.destroyForcibly().waitFor();
            List<ThreadRow> rows = watch.look();
            while (!watch.isOver()) {
                rows = watch.look();
            }
            assertThat(rows).allMatch(ThreadRow::isEnded);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void sumsOverTheIntervalsAreTheTotal() throws Exception {
        try (ThreadWatch watch = ThreadWatch.of(ProcessHandle.current().pid())) {
            Thread own = start("works", () -> {
                while (!isOver.get()) {
                    Thread.onSpinWait();
                }
            });
            long sum = 0;
            ThreadRow row = named("works", watch.look());
            for (int i = 0; i < 20; i++) {
                row = named("works", watch.look());
                sum += row.last().userNs() + row.last().systemNs();
            }
            assertThat(row.total().userNs() + row.total().systemNs()).isEqualTo(sum);
            assertThat(own.isAlive()).isTrue();
        } finally {
            isOver.set(true);
        }
    }

    @Test
    void saysThatThereIsNoSuchProcess() {
        assertThatExceptionOfType(NoProcessException.class)
                .isThrownBy(() -> ThreadWatch.of(Integer.MAX_VALUE))
                .withMessage("there is no process 2147483647");
    }

    private static Thread start(String name, Runnable work) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().daemon().name(name).start(() -> {
            begun.countDown();
            work.run();
        });
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        return thread;
    }

    private static long ranNs(Thread thread) {
        return JVM.getThreadCpuTime(thread.threadId());
    }

    private static ThreadRow named(String name, List<ThreadRow> rows) throws IOException {
        return rows.stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IOException("no thread " + name + " among " + rows));
    }
}
