package io.offhook.cluster.spool;

import io.offhook.cluster.event.EventRange;

/**
 * Events that are lost.
 *
 * @param cause why
 * @param events which: all in the range if there are {@code count}, else some; {@link EventRange#NONE} if that is not known
 * @param count how many
 * @param fromNs when the first of them happened, nanoseconds since the epoch; 0 if that is not known
 * @param untilNs when the last of them happened
 */
public record SpoolLoss(Cause cause, EventRange events, long count, long fromNs, long untilNs) {
    /** Why events are lost. */
    public enum Cause {
        /** The spool reached its limit. */
        LIMIT("spoolEvicted"),
        /** The disk was full, or could not be written. */
        DISK("spoolRefused"),
        /** What was written cannot be read. */
        UNREADABLE("spoolUnreadable"),
        /** The receiver will never take it. */
        REJECTED("eventsRejected");

        private final String counter;

        Cause(String counter) {
            this.counter = counter;
        }

        /** The name of its counter. */
        public String counter() {
            return counter;
        }
    }

    /** Both in one, whose range has both and all between them; of different partitions, it is not known which. */
    SpoolLoss and(SpoolLoss other) {
        boolean isSame = isOfSame(other);
        EventRange range = isSame
                ? new EventRange(
                        events.partition(),
                        events.incarnation(),
                        Math.min(events.from(), other.events.from()),
                        Math.max(events.until(), other.events.until()))
                : EventRange.NONE;
        return new SpoolLoss(
                cause, range, count + other.count, Math.min(fromNs, other.fromNs), Math.max(untilNs, other.untilNs));
    }

    /** Whether partition, incarnation and cause are the same. */
    boolean isOfSame(SpoolLoss other) {
        return cause == other.cause
                && events.partition() == other.events.partition()
                && events.incarnation() == other.events.incarnation();
    }

    /** Whether the other one continues this one: nothing lies between them. */
    boolean isContinuedBy(SpoolLoss other) {
        return isOfSame(other) && events.until() + 1 == other.events.from();
    }
}
