package io.offhook.proxy.statistics;

import org.HdrHistogram.Histogram;

/**
 * How long something took, in nanoseconds, two significant digits.
 *
 * @param count how often
 * @param medianNs half took at most this
 * @param p99Ns 99 of 100 took at most this
 * @param p999Ns 999 of 1,000 took at most this
 * @param mostNs the longest
 */
public record DelayFigures(long count, long medianNs, long p99Ns, long p999Ns, long mostNs) {

    static DelayFigures of(Histogram histogram) {
        return new DelayFigures(
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(99),
                histogram.getValueAtPercentile(99.9),
                histogram.getMaxValue());
    }
}
