package io.offhook.proxy.statistics;

import io.offhook.metrics.MetricHistogram;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** A histogram of nanoseconds in the buckets of Prometheus, in seconds. */
final class DelayBuckets {
    private static final long[] BOUNDS_US = {
        50,
        100,
        250,
        500,
        1_000,
        2_500,
        5_000,
        10_000,
        25_000,
        50_000,
        100_000,
        250_000,
        500_000,
        1_000_000,
        2_500_000,
        5_000_000,
        10_000_000,
        30_000_000,
        60_000_000,
        180_000_000
    };

    private DelayBuckets() {}

    /** Its buckets, as far as it can measure. */
    static MetricHistogram.Buckets of(Histogram histogram) {
        double[] bounds = new double[BOUNDS_US.length];
        long[] upTo = new long[BOUNDS_US.length + 1];
        long before = 0;
        long lower = 0;
        int n = 0;
        while (n < BOUNDS_US.length && BOUNDS_US[n] * 1000 <= histogram.getHighestTrackableValue()) {
            long upper = BOUNDS_US[n] * 1000;
            before += histogram.getCountBetweenValues(lower, upper);
            lower = histogram.nextNonEquivalentValue(upper);
            bounds[n] = BOUNDS_US[n] / 1e6;
            upTo[n++] = before;
        }
        long count = histogram.getTotalCount();
        upTo[n] = count;
        double sum = count == 0 ? 0 : histogram.getMean() * count / 1e9;
        return new MetricHistogram.Buckets(Arrays.copyOf(bounds, n), Arrays.copyOf(upTo, n + 1), sum);
    }
}
