package io.offhook.cluster.event;

/**
 * Consecutive events of one partition and incarnation of a probe.
 *
 * @param partition 0 or more
 * @param incarnation not 0, but in {@link #NONE}
 * @param from the lowest sequence
 * @param until the highest sequence, not below {@code from}
 */
public record EventRange(int partition, long incarnation, long from, long until) {
    /** No events. */
    public static final EventRange NONE = new EventRange(0, 0, 0, 0);

    /** Checks the order. */
    public EventRange {
        Limits.range("partition", partition, 0, Integer.MAX_VALUE);
        Limits.count("from_sequence", from);
        Limits.range("until_sequence", until, from, Long.MAX_VALUE);
    }
}
