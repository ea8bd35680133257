package io.offhook.calls.binding;

/** From when to when media may belong to a call. */
public interface CallSpan {
    /** Media may be on its way so long before the SDP of its call is seen (RFC 3264, 5.1), nanoseconds. */
    long BEFORE_NS = 10_000_000_000L;

    /** And so long after the end of its call, nanoseconds. */
    long AFTER_NS = 5_000_000_000L;

    /** The time of its first message, nanoseconds since the epoch. */
    long firstSeenNs();

    /**
     * The time after which media is no longer this call's: a while after its end; without one, when another call took over its
     * ports, or the far future.
     *
     * @param graceNs how long after its end
     * @return nanoseconds since the epoch; Long.MAX_VALUE for the far future
     */
    long mediaEndNs(long graceNs);

    /** Nanoseconds of [firstNs, lastNs] in which media may be the call's; -1 when it never may. */
    default long overlapNs(long firstNs, long lastNs) {
        return overlapNs(firstNs, lastNs, firstSeenNs(), mediaEndNs(AFTER_NS));
    }

    /**
     * The same by the times of a call.
     *
     * @param firstSeenNs the time of its first message
     * @param endNs {@link #mediaEndNs} with {@link #AFTER_NS}
     */
    static long overlapNs(long firstNs, long lastNs, long firstSeenNs, long endNs) {
        long from = Math.max(firstNs, firstSeenNs - BEFORE_NS);
        long until = Math.min(lastNs, endNs);
        return until < from ? -1 : until - from;
    }
}
