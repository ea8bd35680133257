package io.offhook.cluster.spool;

import java.util.OptionalLong;

/**
 * What a spool holds, and what it did since it was opened.
 *
 * @param events that are not acknowledged
 * @param octets of all segments
 * @param oldestNs when the oldest event that is not acknowledged happened, nanoseconds since the epoch; empty without one
 * @param kept events that were taken
 * @param acknowledged events
 * @param refused events that the disk did not take
 * @param evicted events that were deleted at the limit without having been acknowledged
 * @param tornOctets that a writer which was killed left behind its last whole event
 * @param unreadable events that were written and cannot be read
 * @param unwritten times that the disk did not take what the spool knows of itself
 */
public record SpoolCounts(
        long events,
        long octets,
        OptionalLong oldestNs,
        long kept,
        long acknowledged,
        long refused,
        long evicted,
        long tornOctets,
        long unreadable,
        long unwritten) {}
