package io.offhook.sip.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.sip.transaction.TransactionTimers;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Relaying whole calls allocates nothing once the pools are filled. */
class ProxyAllocationTest {
    private static final long MS = 1_000_000;
    private static final int WARM_UP = 12_000;
    private static final int MEASURED = 5_000;
    /** Short ones, so that the pools are full soon. */
    private static final TransactionTimers TIMERS = new TransactionTimers(MS, 4 * MS, 5 * MS, MS / 2);

    @Test
    void turningCallsAwayAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        RelayedCalls calls = new RelayedCalls(TIMERS, false);
        calls.between("198.51.100.1:5060", "203.0.113.2:5070");
        calls.retryAfterS = 12;
        for (int i = 0; i < WARM_UP; i++) {
            calls.request(RelayedCalls.INVITE, i, 1, false);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MEASURED; i++) {
            calls.request(RelayedCalls.INVITE, WARM_UP + i, 1, false);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MEASURED);
        assertThat(calls.sent).isEqualTo(WARM_UP + MEASURED);
        assertThat(calls.core.transactions().serverCount()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "198.51.100.1:5060, 203.0.113.2:5070, false",
        "[2001:db8:7::1]:5060, [2001:db8::9:0:0:2]:5070, false",
        "198.51.100.1:5060, [2001:db8::9:0:0:2]:5070, false",
        "[2001:db8:7::1]:5060, 203.0.113.2:5070, true"
    })
    void relayingCallsAllocatesNothing(String from, String to, boolean behindNat) {
        RelayedCalls calls = new RelayedCalls(TIMERS, behindNat);
        calls.between(from, to);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM_UP; i++) {
            calls.call(i);
        }
        long sentBefore = calls.sent;
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MEASURED; i++) {
            calls.call(WARM_UP + i);
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(calls.sent - sentBefore).isGreaterThan(10L * MEASURED);
        assertThat(calls.unsigned).isZero();
        assertThat(calls.toBob).isGreaterThan(4L * MEASURED);
        // an object a call would be 16 bytes times the calls; code that is not compiled yet may leave a few
        assertThat(allocated).isLessThan(8L * MEASURED);
        calls.pass(1000 * MS);
        calls.pass(1000 * MS);
        assertThat(calls.core.transactions().serverCount()).isZero();
        assertThat(calls.core.transactions().clientCount()).isZero();
        assertThat(calls.core.contextCount()).isZero();
    }
}
