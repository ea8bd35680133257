package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdleStrategyTest {
    @ParameterizedTest
    @EnumSource
    void countsRoundsWithoutEnd(IdleStrategy strategy) {
        int rounds = 0;
        for (int i = 0; i < 210; i++) {
            rounds = strategy.idle(rounds);
        }
        assertThat(rounds).isEqualTo(210);
        assertThat(strategy.idle(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void parksLongerAndLongerButNotForEver() {
        long begin = System.nanoTime();
        int rounds = 200;
        for (int i = 0; i < 20; i++) {
            rounds = IdleStrategy.PARK.idle(rounds);
        }
        // 10, 20, ... 640 µs, then a millisecond each
        assertThat(System.nanoTime() - begin).isGreaterThan(13_000_000);
    }

    @Test
    void sleepsWhileTheMomentIsFar() {
        long untilNs = System.nanoTime() + 100_000_000;
        int waits = 0;
        while (System.nanoTime() < untilNs - 200_000 && waits < 1_000_000) {
            IdleStrategy.PARK.await(untilNs - System.nanoTime());
            waits++;
        }
        assertThat(waits).isBetween(1, 1000);
    }
}
