package io.offhook.research;

import org.jspecify.annotations.Nullable;

/**
 * One figure of a suite.
 *
 * @param group what is compared with each other: the same work by several techniques
 * @param technique how it was done
 * @param score the figure, in {@code unit}
 * @param error half of the 99.9 % confidence interval, in {@code unit}; null if there were too few samples
 * @param unit of the score: "ns/op", "ns/packet", "packets/s", "%"
 * @param samples how many single measurements the score is the mean of
 * @param note what a reader must know about this one: outliers left out, bytes allocated; null for nothing
 */
public record Measurement(
        String group,
        String technique,
        double score,
        @Nullable Double error,
        String unit,
        int samples,
        @Nullable String note) {}
