package io.offhook.flow;

/**
 * Arithmetic on packet timestamps (nanoseconds). A capture goes backwards now and then: a little where several queues
 * feed it, by far where files follow each other in the wrong order or a record is damaged.
 */
final class PacketTime {
    private PacketTime() {}

    /**
     * Whether two packets lie more than {@code spanNs} apart, whichever is the later. Taking the distance and not the
     * difference means that one absurd timestamp does not stop time for what was created at it.
     */
    static boolean isApart(long timestampNs, long sinceNs, long spanNs) {
        long difference = timestampNs - sinceNs;
        return difference > spanNs || difference < -spanNs;
    }

    /** Twice the span, without overflow: the point at which others, and not the flow's own packets, may time it out. */
    static long twice(long spanNs) {
        return spanNs > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : spanNs * 2;
    }
}
