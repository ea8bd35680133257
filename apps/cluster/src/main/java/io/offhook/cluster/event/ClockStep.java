package io.offhook.cluster.event;

/**
 * The clock of the probe was set while it captured.
 *
 * @param fromNs the last time before, nanoseconds since the epoch
 * @param untilNs the first time after; before {@code fromNs} where the clock was set back
 * @param streams that show it, 0 or more
 * @param unknown what this release does not know of it
 */
public record ClockStep(long fromNs, long untilNs, int streams, Octets unknown) implements EventBody {
    /** Checks the number of streams. */
    public ClockStep {
        Limits.range("streams", streams, 0, Integer.MAX_VALUE);
    }
}
