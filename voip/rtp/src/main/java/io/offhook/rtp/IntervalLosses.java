package io.offhook.rtp;

import io.offhook.rtp.figures.IntervalFigures;
import java.util.Arrays;
import java.util.function.IntConsumer;

/** What each interval of a stream lost and discarded; holds only the intervals that did. */
final class IntervalLosses {
    private static final int WIDTH = 4;
    private static final int LOST = 1;
    private static final int DISCARDED = 2;
    private static final int RUNS = 3;
    private static final int[] NO_ROWS = {};

    /** No losses; not to be added to. */
    static final IntervalLosses NONE = new IntervalLosses();

    /** Interval, lost, discarded, runs; ascending by interval. */
    private int[] rows = NO_ROWS;

    private int end;

    IntervalLosses() {}

    private IntervalLosses(IntervalLosses other) {
        rows = other.end == 0 ? NO_ROWS : Arrays.copyOf(other.rows, other.end);
        end = other.end;
    }

    IntervalLosses copy() {
        return new IntervalLosses(this);
    }

    void add(int interval, int lost, int discarded, int runs) {
        int at = end;
        while (at > 0 && rows[at - WIDTH] > interval) {
            at -= WIDTH;
        }
        if (at > 0 && rows[at - WIDTH] == interval) {
            at -= WIDTH;
        } else {
            insert(at, interval);
        }
        rows[at + LOST] += lost;
        rows[at + DISCARDED] += discarded;
        rows[at + RUNS] += runs;
    }

    private void insert(int at, int interval) {
        if (end == rows.length) {
            rows = Arrays.copyOf(rows, Math.max(WIDTH, rows.length * 2));
        }
        System.arraycopy(rows, at, rows, at + WIDTH, end - at);
        Arrays.fill(rows, at, at + WIDTH, 0);
        rows[at] = interval;
        end += WIDTH;
    }

    private int get(int interval, int column) {
        int low = 0;
        int high = end / WIDTH;
        while (low < high) {
            int middle = low + high >>> 1;
            if (rows[middle * WIDTH] < interval) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int at = low * WIDTH;
        return at < end && rows[at] == interval ? rows[at + column] : 0;
    }

    /** What an interval lost. */
    IntervalFigures.Losses figures(int interval) {
        return new IntervalFigures.Losses(lost(interval), discarded(interval), runs(interval));
    }

    /** Adds what an interval after all others lost. */
    void add(int interval, IntervalFigures.Losses losses) {
        if (losses.lost() != 0 || losses.discarded() != 0 || losses.runs() != 0) {
            add(interval, losses.lost(), losses.discarded(), losses.runs());
        }
    }

    /** Passes the intervals before one whose losses were others, in ascending order. */
    void forEachChangedSince(IntervalLosses before, int below, IntConsumer changed) {
        int alike = Arrays.mismatch(rows, 0, end, before.rows, 0, before.end);
        if (alike < 0) {
            return;
        }
        int at = alike / WIDTH * WIDTH; // nearly all that are long closed
        int old = at;
        while (true) {
            int interval = at < end ? rows[at] : below;
            int oldInterval = old < before.end ? before.rows[old] : below;
            int next = Math.min(interval, oldInterval);
            if (next >= below) {
                return;
            }
            boolean isSame =
                    interval == oldInterval && Arrays.equals(rows, at, at + WIDTH, before.rows, old, old + WIDTH);
            if (!isSame) {
                changed.accept(next);
            }
            at += interval == next ? WIDTH : 0;
            old += oldInterval == next ? WIDTH : 0;
        }
    }

    int lost(int interval) {
        return get(interval, LOST);
    }

    int discarded(int interval) {
        return get(interval, DISCARDED);
    }

    /** Runs of numbers that were lost or discarded. */
    int runs(int interval) {
        return get(interval, RUNS);
    }
}
