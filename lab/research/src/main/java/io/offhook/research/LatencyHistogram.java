package io.offhook.research;

import java.util.Arrays;

/**
 * A histogram of times, in buckets no wider than 1/64 of the time: any number of times in constant memory. For one thread;
 * recording allocates nothing.
 */
public final class LatencyHistogram {
    private static final int STEPS = 64;
    private static final int BITS = 6;

    // below 128 ns a bucket each, from there on 64 an octave
    private final long[] counts = new long[STEPS * (Long.SIZE - BITS)];
    private long count;
    private long longest;

    /** Nothing recorded yet. */
    public LatencyHistogram() {}

    /** @param ns a time below 0, as of a clock that stepped back, counts as 0 */
    public void record(long ns) {
        long value = Math.max(ns, 0);
        counts[bucket(value)]++;
        count++;
        longest = Math.max(longest, value);
    }

    private static int bucket(long value) {
        int octave = Math.max(Long.SIZE - 1 - BITS - Long.numberOfLeadingZeros(value), 0);
        return octave * STEPS + (int) (value >>> octave);
    }

    private static long leastOf(int bucket) {
        int octave = Math.max(bucket / STEPS - 1, 0);
        return (long) (bucket - octave * STEPS) << octave;
    }

    /** Returns the number of recorded times. */
    public long count() {
        return count;
    }

    /** Returns the longest time, to the nanosecond; 0 if nothing was recorded. */
    public long longest() {
        return longest;
    }

    /**
     * Returns a quantile, to 1/64; 0 if nothing was recorded.
     *
     * @param part 0 to 1: 0.5 for the median
     */
    public long quantile(double part) {
        long left = Math.max((long) Math.ceil(count * part), 1);
        for (int i = 0; i < counts.length; i++) {
            left -= counts[i];
            if (left <= 0) {
                return leastOf(i);
            }
        }
        return 0;
    }

    /** Removes all recorded times. */
    public void clear() {
        Arrays.fill(counts, 0);
        count = 0;
        longest = 0;
    }
}
