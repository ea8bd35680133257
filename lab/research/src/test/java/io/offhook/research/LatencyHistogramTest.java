package io.offhook.research;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
    private final LatencyHistogram histogram = new LatencyHistogram();

    @Test
    void reportsQuantilesToASixtyFourth() {
        Random random = new Random(64);
        long[] all = random.longs(100_000)
                .map(value -> (value >>> 1) >>> random.nextInt(63))
                .toArray();
        Arrays.stream(all).forEach(histogram::record);
        Arrays.sort(all);
        for (double part : new double[] {0.01, 0.25, 0.5, 0.9, 0.99, 0.999}) {
            long exact = all[(int) Math.ceil(all.length * part) - 1];
            assertThat(histogram.quantile(part)).isLessThanOrEqualTo(exact).isCloseTo(exact, within(exact / 64));
        }
        assertThat(histogram.longest()).isEqualTo(all[all.length - 1]);
        assertThat(histogram.count()).isEqualTo(all.length);
    }

    @Test
    void takesTheShortestAndTheLongest() {
        histogram.record(-1);
        histogram.record(Long.MAX_VALUE);
        assertThat(histogram.quantile(0.5)).isZero();
        assertThat(histogram.quantile(1)).isCloseTo(Long.MAX_VALUE, within(Long.MAX_VALUE / 64));
        histogram.clear();
        assertThat(histogram.count()).isZero();
        assertThat(histogram.quantile(0.5)).isZero();
        assertThat(histogram.longest()).isZero();
    }
}
