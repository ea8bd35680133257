package io.offhook.flow.state;

/**
 * Arithmetic on packet timestamps, in nanoseconds. Timestamps sometimes go backwards: a little if several queues feed a
 * capture, by far if files are in the wrong order or a record is damaged.
 */
public final class PacketTime {
    private PacketTime() {}

    /**
     * Whether two packets are more than {@code spanNs} apart, whichever is later. Comparing the distance instead of the
     * signed difference keeps a single absurd timestamp from freezing the timeouts of what was created at it.
     */
    public static boolean isApart(long timestampNs, long sinceNs, long spanNs) {
        long difference = timestampNs - sinceNs;
        return difference > spanNs || difference < -spanNs;
    }

    /** Twice the span, saturating: the time after which packets of other flows, too, may time a flow out. */
    public static long twice(long spanNs) {
        return spanNs > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : spanNs * 2;
    }
}
