package io.offhook.rtp;

import java.util.Arrays;

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
        for (int at = 0; at < end; at += WIDTH) {
            if (rows[at] == interval) {
                return rows[at + column];
            }
        }
        return 0;
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
