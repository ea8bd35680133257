package io.offhook.research;

import org.jspecify.annotations.Nullable;

/**
 * One figure of a suite.
 *
 * @param group the measurements that are compared: the same work by several techniques
 * @param technique the technique
 * @param score the figure, in {@code unit}
 * @param error half of the 99.9 % confidence interval, in {@code unit}; null if there were too few samples
 * @param unit of the score: "ns/op", "ns/packet", "packets/s", "%"
 * @param samples the number of single measurements of which the score is the mean
 * @param note a remark for the reader: outliers left out, bytes allocated; null for none
 */
public record Measurement(
        String group,
        String technique,
        double score,
        @Nullable Double error,
        String unit,
        int samples,
        @Nullable String note) {}
