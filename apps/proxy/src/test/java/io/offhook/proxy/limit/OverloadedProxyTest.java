package io.offhook.proxy.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.proxy.statistics.ProxyStatistics;
import io.offhook.proxy.statistics.StatisticsSnapshot;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole calls through a core whose capacity is 1000 calls a second, on simulated time. */
@Timeout(120)
class OverloadedProxyTest {
    private static final long MS = 1_000_000;
    private static final double CAPACITY = 1000;

    private final ProxyStatistics statistics = new ProxyStatistics(1, 16, InstantSource.system());

    @AfterEach
    void close() {
        statistics.close();
    }

    private OverloadedProxy proxy(long seed, boolean isEnabled) {
        System.out.println("seed " + seed);
        return new OverloadedProxy(seed, new OverloadConfig(isEnabled, 15 * MS, 5, 20), statistics.lane(0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void keepsWhatRefusalsLeaveOfTheGoodputAtTwiceTheCapacity(long seed) {
        OverloadedProxy proxy = proxy(seed, true);
        proxy.run(5, 0.5 * CAPACITY);
        proxy.run(5, 2 * CAPACITY);
        OverloadedProxy.Counts counts = proxy.run(10, 2 * CAPACITY);
        double possible = CAPACITY * (1 - 2 * OverloadedProxy.REFUSAL) / (1 - OverloadedProxy.REFUSAL);
        assertThat(counts.good() / 10.0).isGreaterThan(0.97 * possible);
        assertThat(counts.refused()).isGreaterThan((int) (9 * CAPACITY));
        assertThat(counts.refusedAndForwarded()).isZero();
        assertThat(counts.lost()).isZero();
        StatisticsSnapshot snapshot = statistics.snapshot();
        assertThat(snapshot.queueDelay().mostNs()).isLessThan(250 * MS);
        assertThat(snapshot.causes())
                .anyMatch(figure -> figure.cause().equals("call") && figure.count() >= counts.refused());
    }

    @Test
    void wouldLoseItsGoodputWithoutTheGate() {
        OverloadedProxy proxy = proxy(1, false);
        proxy.run(10, 2 * CAPACITY);
        OverloadedProxy.Counts counts = proxy.run(10, 2 * CAPACITY);
        assertThat(counts.good() / 10.0).isLessThan(0.1 * CAPACITY);
        assertThat(counts.refused()).isZero();
    }

    /** No caller is refused and called back: those that sent their INVITE again while it waited are refused twice. */
    @Test
    void refusesNobodyHalfWhenTheLaneStoodStill() {
        OverloadedProxy proxy = proxy(4, true);
        proxy.run(1, 0.5 * CAPACITY);
        proxy.standStill(800 * MS);
        OverloadedProxy.Counts counts = proxy.run(5, 0.5 * CAPACITY);
        assertThat(counts.refused()).isPositive();
        assertThat(counts.refusedAndForwarded()).isZero();
        assertThat(statistics.snapshot().causes())
                .anyMatch(figure -> figure.cause().equals("repeated") && figure.count() > 0);
    }

    @Test
    void refusesNothingBelowTheCapacity() {
        OverloadedProxy proxy = proxy(5, true);
        OverloadedProxy.Counts counts = proxy.run(20, 0.8 * CAPACITY);
        assertThat(counts.refused()).isZero();
        assertThat(counts.good() / 20.0).isGreaterThan(0.78 * CAPACITY);
    }
}
