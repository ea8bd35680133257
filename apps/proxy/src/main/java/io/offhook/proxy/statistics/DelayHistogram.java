package io.offhook.proxy.statistics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Adds up what the recorders of all lanes recorded: since the start, and of the last half minute to minute. Its owner calls
 * {@link #collect} about once a second; all methods are called with one lock held.
 */
final class DelayHistogram {
    private static final int HALF_SECONDS = 30;

    private final Supplier<Histogram> empty;
    private final Histogram total;
    private Histogram half;
    private Histogram previousHalf;
    private int seconds;
    /** The histogram that a recorder takes back, so that none is made each second. */
    private final Map<SingleWriterRecorder, Histogram> intervals = new HashMap<>();

    DelayHistogram(Supplier<Histogram> empty) {
        this.empty = empty;
        total = empty.get();
        half = empty.get();
        previousHalf = empty.get();
    }

    void collect(List<SingleWriterRecorder> recorders) {
        if (intervals.size() > 4 * recorders.size() + 64) {
            intervals.keySet().retainAll(recorders); // those of neighbours that made room for others
        }
        for (SingleWriterRecorder recorder : recorders) {
            Histogram interval = recorder.getIntervalHistogram(intervals.get(recorder));
            intervals.put(recorder, interval);
            total.add(interval);
            half.add(interval);
        }
    }

    /** Called once a second, after {@link #collect}. */
    void second() {
        if (++seconds == HALF_SECONDS) {
            seconds = 0;
            Histogram oldest = previousHalf;
            previousHalf = half;
            oldest.reset();
            half = oldest;
        }
    }

    Histogram total() {
        return total.copy();
    }

    Histogram recent() {
        Histogram recent = empty.get();
        recent.add(previousHalf);
        recent.add(half);
        return recent;
    }
}
