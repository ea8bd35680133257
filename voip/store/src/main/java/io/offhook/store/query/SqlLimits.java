package io.offhook.store.query;

/**
 * What a question may take.
 *
 * @param rows the most rows of its result, 1 to {@link #MOST_ROWS}
 * @param timeMs how long it may run, results included, 1 to {@link #MOST_TIME_MS} ms
 */
public record SqlLimits(long rows, long timeMs) {
    /** The most rows that can be asked for. */
    public static final long MOST_ROWS = 100_000_000;

    /** The longest time that can be asked for, ms: an hour. */
    public static final long MOST_TIME_MS = 3_600_000;

    /** Checks the ranges. */
    public SqlLimits {
        if (rows < 1 || rows > MOST_ROWS) {
            throw new IllegalArgumentException("rows " + rows + " is outside 1 to " + MOST_ROWS);
        }
        if (timeMs < 1 || timeMs > MOST_TIME_MS) {
            throw new IllegalArgumentException("timeMs " + timeMs + " is outside 1 to " + MOST_TIME_MS);
        }
    }
}
