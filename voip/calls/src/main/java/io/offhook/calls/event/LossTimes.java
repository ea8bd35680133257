package io.offhook.calls.event;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The times at which the capture itself lost packets: the listener may then have heard better audio than was captured.
 *
 * <p>Holds {@link #MOST} ranges; further ones widen the last. Single-threaded.
 */
public final class LossTimes {
    private static final int MOST = 1 << 16;

    private record Range(long fromNs, long untilNs) {}

    private Range[] ranges = new Range[4];
    private int count;
    /** The latest end of the ranges up to each, in the order of their beginnings; null until it is asked for. */
    private long @Nullable [] latestEnds;

    /** Creates an empty set of times. */
    public LossTimes() {}

    /** Packets were lost at some time between these two, nanoseconds since the epoch. */
    public void add(long fromNs, long untilNs) {
        latestEnds = null;
        if (count == MOST) {
            Range last = ranges[count - 1];
            ranges[count - 1] = new Range(Math.min(last.fromNs, fromNs), Math.max(last.untilNs, untilNs));
            return;
        }
        if (count == ranges.length) {
            ranges = Arrays.copyOf(ranges, count * 2);
        }
        ranges[count++] = new Range(fromNs, untilNs);
    }

    /** Receives ranges of time. */
    @FunctionalInterface
    public interface Ranges {
        /** Packets were lost at some time between these two, nanoseconds since the epoch. */
        void range(long fromNs, long untilNs);
    }

    /** Passes on all ranges, in no particular order. */
    public void forEach(Ranges receiver) {
        for (int i = 0; i < count; i++) {
            receiver.range(ranges[i].fromNs, ranges[i].untilNs);
        }
    }

    /** Adds the times of another set. */
    public void add(LossTimes other) {
        for (int i = 0; i < other.count; i++) {
            add(other.ranges[i].fromNs, other.ranges[i].untilNs);
        }
    }

    /** Whether packets were, or may have been, lost between the two times. */
    public boolean overlap(long firstNs, long lastNs) {
        long[] ends = latestEnds;
        if (ends == null) {
            ends = sort();
            latestEnds = ends;
        }
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (ranges[middle].fromNs <= lastNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low > 0 && ends[low - 1] >= firstNs;
    }

    private long[] sort() {
        Arrays.sort(ranges, 0, count, (a, b) -> Long.compare(a.fromNs, b.fromNs));
        long[] ends = new long[count];
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            latest = Math.max(latest, ranges[i].untilNs);
            ends[i] = latest;
        }
        return ends;
    }
}
