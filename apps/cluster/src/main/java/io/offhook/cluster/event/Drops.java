package io.offhook.cluster.event;

/**
 * Something that the probe should have seen or sent, and did not. Counts of several events add up.
 *
 * @param place where it was lost
 * @param cause the name of the counter, as {@code offhook} prints it
 * @param count packets; at {@link Place#SPOOL}, events
 * @param fromNs not before this time, nanoseconds since the epoch
 * @param untilNs not after this time, nanoseconds since the epoch
 * @param isShown whether the probe only saw that something is missing
 * @param events at {@link Place#SPOOL}, which; else {@link EventRange#NONE}
 * @param unknown what this release does not know of it
 */
public record Drops(
        Place place,
        String cause,
        long count,
        long fromNs,
        long untilNs,
        boolean isShown,
        EventRange events,
        Octets unknown)
        implements EventBody {
    /** Checks sizes and ranges. */
    public Drops {
        Limits.text("cause", cause, Limits.NAME);
        Limits.count("count", count);
    }

    /** Where something is lost. */
    public enum Place {
        /** Unknown, or unknown to this release. */
        UNSPECIFIED,
        /** The network interface. */
        INTERFACE,
        /** Between the kernel and the probe. */
        RING,
        /** Between threads of the probe. */
        LANE,
        /** A table was full, and gave up its oldest entry. */
        TABLE,
        /** The disk of the probe. */
        SPOOL,
        /** Segments of a TCP connection that the capture does not have. */
        TCP_GAP
    }
}
