package io.offhook.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThreadUseTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long TICK = 10_000_000L;

    private static TaskReading reading(long user, long system, long ranNs, long waitedNs) {
        return new TaskReading('R', 1, user, system, ranNs, waitedNs, 10, 20, 3);
    }

    @Test
    void sharesTheExactTimeOutByTicks() {
        ThreadUse use = ThreadUse.between(
                reading(100, 100, 2 * SECOND, 0),
                0,
                reading(130, 110, 2 * SECOND + 450_000_000, 100_000_000),
                SECOND,
                TICK);
        assertThat(use.userNs()).isEqualTo(337_500_000);
        assertThat(use.systemNs()).isEqualTo(112_500_000);
        assertThat(use.cpu()).isEqualTo(0.45);
        assertThat(use.waited()).isEqualTo(0.1);
        assertThat(use.migrations()).isZero();
    }

    @Test
    void sharesATimeWithoutATickOutAsThatOfItsLife() {
        ThreadUse use =
                ThreadUse.between(reading(30, 10, SECOND, 0), 0, reading(30, 10, SECOND + 8_000, 0), SECOND, TICK);
        assertThat(use.userNs()).isEqualTo(6_000);
        assertThat(use.systemNs()).isEqualTo(2_000);
    }

    @Test
    void countsTicksWhereTheKernelAccountsNothingElse() {
        ThreadUse use = ThreadUse.between(reading(0, 0, -1, -1), 0, reading(20, 30, -1, -1), SECOND, TICK);
        assertThat(use.userNs()).isEqualTo(200_000_000);
        assertThat(use.systemNs()).isEqualTo(300_000_000);
        assertThat(use.waitedNs()).isEqualTo(-1);
        assertThat(use.waited()).isNaN();
    }
}
