package io.offhook.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;

class VirtualThreadsTest {
    private static final String SCHEDULER = "java.util.concurrent.ForkJoinPool@3330c426[Running, parallelism = 2,"
            + " size = 3, active = 2, running = 2, steals = 100000, tasks = 7, submissions = 5]";

    @Test
    void readsTheQueueOfTheScheduler() {
        assertThat(
                        VirtualThreads.of(
                                2,
                                "4711:\n" + SCHEDULER + "\nDelayed task schedulers:\n"
                                        + "java.util.concurrent.ScheduledThreadPoolExecutor@1[Running, pool size = 1, queued tasks = 99]"))
                .isEqualTo(new VirtualThreads(2, 12, 2));
    }

    @Test
    void leavesOutWhatItDoesNotUnderstand() {
        VirtualThreads unknown = new VirtualThreads(1, -1, -1);
        assertThat(VirtualThreads.of(1, "")).isEqualTo(unknown);
        assertThat(VirtualThreads.of(1, "CustomScheduler@1")).isEqualTo(unknown);
        for (int length = 0; length < SCHEDULER.length() - 1; length++) {
            assertThat(VirtualThreads.of(1, SCHEDULER.substring(0, length)))
                    .isIn(unknown, new VirtualThreads(1, 12, 2));
        }
        assertThat(VirtualThreads.of(1, SCHEDULER.replace("tasks = 7", "tasks = 77777777777")))
                .isEqualTo(unknown);
    }

    /** On one carrier one runs, and the others cannot. */
    @Test
    @EnabledOnOs(OS.LINUX)
    @EnabledForJreRange(min = JRE.JAVA_24)
    @Timeout(120)
    void countsThoseThatHaveNoCarrier() throws Exception {
        List<String> options =
                List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");
        try (KnownJvm jvm = KnownJvm.of(KnownJvm.OWN, options, "/KnownVirtual.java");
                JavaWatch java = JavaWatch.of(jvm.pid());
                ThreadWatch watch = ThreadWatch.of(jvm.pid())) {
            VirtualThreads expected = new VirtualThreads(1, 5, 1);
            VirtualThreads counted = java.look(watch.look()).virtualThreads();
            while (!expected.equals(counted)) {
                Thread.sleep(100); // which the time limit of the test interrupts
                counted = java.look(watch.look()).virtualThreads();
            }
            assertThat(counted).isEqualTo(expected);
        }
    }
}
