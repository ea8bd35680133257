package io.offhook.store;

import java.util.concurrent.TimeUnit;

/**
 * Which times of the network are plausible: from 2000 until a day after now. Others are kept, but nothing is concluded from
 * them: one packet of the year 2100 would make everything after it old.
 */
final class TimeRange {
    /** The beginning of 2000, nanoseconds since the epoch. */
    static final long FIRST_NS = 946_684_800_000_000_000L;

    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);

    private TimeRange() {}

    static boolean isSane(long ns) {
        return ns >= FIRST_NS && ns <= lastNs();
    }

    static long lastNs() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) + DAY_NS;
    }
}
