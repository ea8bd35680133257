package io.offhook.store;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What goes to one file of each table: the rows of a day (UTC), or those whose times are out of any range.
 *
 * @param day the day; of odd times, that of the move
 * @param isOdd whether it is the latter
 */
record Partition(LocalDate day, boolean isOdd) {
    /** The beginning of 2100, nanoseconds since the epoch. */
    static final long ODD_FROM_NS = 4_102_444_800_000_000_000L;

    static Partition of(LocalDate day) {
        return new Partition(day, false);
    }

    static Partition odd(LocalDate movedOn) {
        return new Partition(movedOn, true);
    }

    static LocalDate dayOf(long ns) {
        return LocalDate.ofEpochDay(Math.floorDiv(ns, TimeUnit.DAYS.toNanos(1)));
    }

    static long ns(LocalDate day) {
        return TimeUnit.SECONDS.toNanos(day.atStartOfDay(ZoneOffset.UTC).toEpochSecond());
    }

    /**
     * Whether a time belongs to it, in SQL. The bounds of what is odd are fixed: where a row belongs must not change with the clock. Rows
     * of days to come stay in tables, so that they make no files.
     */
    String condition(String time) {
        return isOdd
                ? String.format(
                        Locale.ROOT,
                        "(%1$s IS NULL OR %1$s < make_timestamp_ns(%2$d) OR %1$s >= make_timestamp_ns(%3$d))",
                        time,
                        TimeRange.FIRST_NS,
                        ODD_FROM_NS)
                : String.format(
                        Locale.ROOT,
                        "(%1$s >= make_timestamp_ns(%2$d) AND %1$s < make_timestamp_ns(%3$d))",
                        time,
                        ns(day),
                        ns(day.plusDays(1)));
    }
}
