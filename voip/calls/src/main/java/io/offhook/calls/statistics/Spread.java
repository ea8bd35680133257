package io.offhook.calls.statistics;

import io.offhook.calls.CallReport;
import java.util.Arrays;

/**
 * How durations are spread, in nanoseconds; each is {@link CallReport#NEVER} if there are none.
 *
 * @param count how many durations there are
 * @param meanNs their mean
 * @param medianNs the shortest that half of them do not exceed
 * @param percentile95Ns the shortest that 95 % of them do not exceed
 * @param longestNs the longest
 */
public record Spread(int count, long meanNs, long medianNs, long percentile95Ns, long longestNs) {

    /** The spread of the first {@code count} durations, which are put in order. */
    static Spread of(long[] durationsNs, int count) {
        if (count == 0) {
            return new Spread(0, CallReport.NEVER, CallReport.NEVER, CallReport.NEVER, CallReport.NEVER);
        }
        Arrays.sort(durationsNs, 0, count);
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += durationsNs[i];
        }
        return new Spread(
                count,
                Math.round(sum / count),
                durationsNs[rank(count, 50)],
                durationsNs[rank(count, 95)],
                durationsNs[count - 1]);
    }

    /** The index of a percentile, by nearest rank. */
    private static int rank(int count, int percent) {
        return (int) (((long) count * percent + 99) / 100) - 1;
    }
}
