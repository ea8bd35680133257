package io.offhook.sip.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.transaction.TransactionTimers;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Flow 30: an hour of calls on simulated time, and what is left of it. */
class HourOfCallsTest {
    private static final long MS = 1_000_000;
    private static final int CALLS_PER_SECOND = 50;
    /** Timers H and F run out after 32 s. */
    private static final long IDLE_S = 33;

    private final RelayedCalls calls = new RelayedCalls(TransactionTimers.DEFAULT, false);
    private int begun;

    /** Each call takes 5 ms itself. */
    private void seconds(int count) {
        for (int i = 0; i < count * CALLS_PER_SECOND; i++) {
            calls.call(begun++);
            calls.pass(1000 * MS / CALLS_PER_SECOND - 5 * MS);
        }
    }

    private void idle() {
        for (int i = 0; i < IDLE_S; i++) {
            calls.pass(1000 * MS);
            calls.core.trim();
        }
    }

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void leavesNoTransactionAndNoMemory() {
        calls.between("198.51.100.1:5060", "203.0.113.2:5070");
        seconds(60);
        idle();
        long before = heapBytes();
        seconds(3600);
        assertThat(calls.core.transactions().serverCount())
                .as("what was answered is kept for 32 s")
                .isGreaterThan(32 * CALLS_PER_SECOND);
        idle();
        assertThat(calls.core.transactions().serverCount()).isZero();
        assertThat(calls.core.transactions().clientCount()).isZero();
        assertThat(calls.core.contextCount()).isZero();
        assertThat(calls.unsigned).isZero();
        assertThat(heapBytes()).isLessThan(before + before / 20);
    }
}
