package io.offhook.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class TaskStatusTest {
    @Test
    void seesWhereAThreadRunsAndHowOftenItWaits() throws InterruptedException {
        AtomicInteger id = new AtomicInteger();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch seen = new CountDownLatch(1);
        int processor = CpuAffinity.processors()[0];
        Thread thread = Thread.ofPlatform().name("a) b (c").start(() -> {
            CpuAffinity.pin(processor);
            long untilNs = System.nanoTime() + 20_000_000;
            while (System.nanoTime() < untilNs) {
                Thread.onSpinWait();
            }
            id.set(TaskStatus.currentId());
            entered.countDown();
            try {
                seen.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        entered.await();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        TaskStatus status = Objects.requireNonNull(TaskStatus.of(id.get()));
        seen.countDown();
        thread.join();

        assertThat(status.id()).isEqualTo(id.get());
        assertThat(status.processor()).isEqualTo(processor);
        assertThat(status.voluntarySwitches()).isPositive();
        assertThat(status.ranNs())
                .satisfiesAnyOf(
                        ns -> assertThat(ns).isEqualTo(-1), ns -> assertThat(ns).isGreaterThan(1_000_000));
    }

    @Test
    void isNullOfAThreadThatThereIsNot() {
        assertThat(TaskStatus.of(Integer.MAX_VALUE)).isNull();
    }
}
