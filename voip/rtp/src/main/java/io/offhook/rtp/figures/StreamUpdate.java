package io.offhook.rtp.figures;

import java.util.List;

/**
 * The figures of a stream without the closed intervals that have not changed since the last update: a stream of a day has
 * 17,280 of them.
 *
 * @param figures everything else, cumulative; the list of its closed intervals is empty
 * @param closed how many intervals are closed
 * @param changed those that were closed since, or have changed: a number that arrives late, or never, settles what an earlier
 *     interval lost. Ascending by index, each below {@code closed}
 */
public record StreamUpdate(StreamFigures figures, int closed, List<Changed> changed) {
    /** Copies the list. */
    public StreamUpdate {
        changed = List.copyOf(changed);
    }

    /** The figures of a stream of which this is the first update. */
    public StreamFigures alone() {
        return figures.with(this);
    }

    /**
     * An interval, in the place of the one of its index.
     *
     * @param index counted from the first interval, 0
     * @param interval as it is now
     */
    public record Changed(int index, IntervalFigures.Interval interval) {}
}
