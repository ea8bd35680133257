package io.offhook.proxy.limit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.proxy.statistics.CallOutcome;
import io.offhook.proxy.statistics.CauseFigure;
import io.offhook.proxy.statistics.ProxyStatistics;
import io.offhook.sip.SipMethod;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OverloadGateTest {
    private static final long MS = 1_000_000;
    private static final OverloadConfig CONFIG = new OverloadConfig(true, 15 * MS, 5, 20);

    private final ProxyStatistics statistics = new ProxyStatistics(1, 16, InstantSource.system());
    private final OverloadGate gate = new OverloadGate(CONFIG, statistics.lane(0), 7);
    private long nowNs = 1_000 * MS;

    @AfterEach
    void close() {
        statistics.close();
    }

    /** A new call has its turn after a wait. */
    private int call(long waitNs, long transaction) {
        nowNs += MS;
        gate.turn(nowNs - waitNs, nowNs);
        return gate.retryAfterS(SipMethod.INVITE, false, transaction);
    }

    @Test
    void refusesRetransmissionsOfWhatItRefused() {
        assertThat(call(200 * MS, 0x1234_0007)).isBetween(5, 20);
        assertThat(call(0, 0x1234_0007)).isBetween(5, 20);
        assertThat(call(0, 0x1235_0007)).isZero();
        assertThat(statistics.snapshot().causes())
                .containsExactly(
                        new CauseFigure("overload", "call", 1),
                        new CauseFigure("overload", "registration", 0),
                        new CauseFigure("overload", "other", 0),
                        new CauseFigure("overload", "repeated", 1));
    }

    /** Which of them are remembered is no matter of luck, as it would be in a table with one place for each hash. */
    @Test
    void remembersSeveralRefusalsWithTheSameHashBits() {
        for (long i = 1; i <= 4; i++) {
            assertThat(call(200 * MS, i << 32 | 7)).isPositive();
        }
        for (long i = 1; i <= 4; i++) {
            assertThat(call(0, i << 32 | 7)).isPositive();
        }
        assertThat(call(200 * MS, 5L << 32 | 7)).isPositive();
        assertThat(call(0, 1L << 32 | 7)).isZero(); // the oldest
        assertThat(call(0, 2L << 32 | 7)).isPositive();
    }

    @Test
    void countsARefusedCallAsRejectedOnce() {
        assertThat(call(200 * MS, 1)).isPositive();
        assertThat(call(200 * MS, 1)).isPositive();
        assertThat(statistics.snapshot().calls().attempts()).isEqualTo(1);
        assertThat(statistics.snapshot().calls().outcomes()).containsEntry(CallOutcome.REJECTED, 1L);
    }

    @Test
    void takesWhateverBelongsToADialog() {
        assertThat(gate.isRefusing()).isFalse();
        gate.turn(nowNs - 10_000 * MS, nowNs);
        assertThat(gate.isRefusing()).isTrue();
        assertThat(gate.retryAfterS(SipMethod.INVITE, true, 1)).isZero();
        assertThat(gate.retryAfterS(SipMethod.BYE, true, 2)).isZero();
        assertThat(gate.retryAfterS(SipMethod.OPTIONS, true, 3)).isZero();
        assertThat(gate.retryAfterS(SipMethod.PRACK, false, 4)).isZero();
        assertThat(gate.retryAfterS(SipMethod.REGISTER, false, 5)).isPositive();
        assertThat(gate.retryAfterS(SipMethod.OPTIONS, false, 6)).isPositive();
        assertThat(statistics.snapshot().calls().attempts()).isZero();
    }

    @Test
    void takesAnotherConfigurationAtOnce() {
        assertThat(call(200 * MS, 1)).isPositive();
        gate.reload(new OverloadConfig(true, 1_000 * MS, 5, 20));
        assertThat(call(200 * MS, 2)).isZero();
        gate.reload(new OverloadConfig(false, MS, 5, 20));
        assertThat(call(5_000 * MS, 3)).isZero();
        gate.reload(new OverloadConfig(true, MS, 42, 42));
        assertThat(call(200 * MS, 4)).isEqualTo(42);
    }

    /** A message may arrive between the reading of the clock and its turn. */
    @Test
    void recordsHowLongMessagesWaited() {
        gate.turn(nowNs - 3 * MS, nowNs);
        gate.turn(nowNs + MS, nowNs);
        assertThat(statistics.snapshot().queueDelay().count()).isEqualTo(2);
        assertThat(statistics.snapshot().queueDelay().mostNs()).isBetween(2_950_000L, 3_050_000L);
    }

    @Test
    void allocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int calls = 20_000;
        int refused = 0;
        long least = Long.MAX_VALUE;
        // until the compiler is done
        for (int attempt = 0; attempt < 50 && least >= calls; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < calls; i++) {
                refused += call(i % 2 == 0 ? 0 : 200 * MS, i) > 0 ? 1 : 0;
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(refused).isPositive();
        // an object a call would be 16 bytes times the calls
        assertThat(least).isLessThan(calls);
    }
}
