package io.offhook.monitor.xray;

/**
 * A time in which an answer of a process was awaited. Times are nanoseconds since the epoch.
 *
 * @param fromNs when the message came in
 * @param toNs when the process sent what it sent for it
 * @param queue the number of the queue that it came in by: that of a socket, or of several that share a port; {@link #NO_QUEUE} if not
 *     known, or if the message had been read before
 */
public record Gap(long fromNs, long toNs, long queue) {
    /** No queue. */
    public static final long NO_QUEUE = 0;

    /** Checks the order. */
    public Gap {
        if (toNs < fromNs) {
            throw new IllegalArgumentException("a gap ends at " + toNs + ", before it begins at " + fromNs);
        }
    }

    /** Its length in nanoseconds. */
    public long ns() {
        return toNs - fromNs;
    }
}
