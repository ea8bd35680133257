package io.offhook.report.text;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/** Formats times, given as nanoseconds since the epoch, for people and programs. */
public final class Times {
    private static final long NANOS = 1_000_000_000L;

    private final ZoneId zone;

    /** The format in a time zone. */
    public Times(ZoneId zone) {
        this.zone = zone;
    }

    /** The format in UTC, or in the time zone of the system. */
    public static Times of(boolean utc) {
        return new Times(utc ? ZoneOffset.UTC : SystemZone.zone());
    }

    /** The time zone. */
    public ZoneId zone() {
        return zone;
    }

    private ZonedDateTime at(long ns) {
        return Instant.ofEpochSecond(Math.floorDiv(ns, NANOS), Math.floorMod(ns, NANOS))
                .atZone(zone);
    }

    /** "14:03:07.125": truncated to milliseconds. */
    public String timeOfDay(long ns) {
        ZonedDateTime at = at(ns);
        StringBuilder text = new StringBuilder(12);
        twoDigits(text, at.getHour()).append(':');
        twoDigits(text, at.getMinute()).append(':');
        twoDigits(text, at.getSecond()).append('.');
        return digits(text, at.getNano() / 1_000_000, 3).toString();
    }

    /** "14:03:07.125004": truncated to microseconds. */
    public String timeOfDayMicros(long ns) {
        return digits(new StringBuilder(timeOfDay(ns)), Math.floorMod(ns, 1_000_000) / 1000, 3)
                .toString();
    }

    /** The day. */
    public LocalDate date(long ns) {
        return at(ns).toLocalDate();
    }

    /** "2026-11-21 (UTC)" or "2026-11-21 (Europe/Berlin, +01:00)". */
    public String dateLine(long ns) {
        ZonedDateTime at = at(ns);
        String place = zone.getId();
        String offset = at.getOffset().getId();
        boolean utc = offset.equals("Z") && (place.equals("Z") || place.endsWith("UTC"));
        return at.toLocalDate() + (utc ? " (UTC)" : " (" + place + ", " + offset + ")");
    }

    /** "1700000000.123456789": seconds since the epoch with nine decimals, as in JSON and CSV. */
    public static String epoch(long ns) {
        long size = Math.abs(ns);
        StringBuilder text = new StringBuilder(20);
        if (ns < 0) {
            text.append('-');
        }
        return digits(text.append(size / NANOS).append('.'), (int) (size % NANOS), 9)
                .toString();
    }

    /** "0:28", "12:05", "1:00:59": whole seconds, rounded down. */
    public static String duration(long ns) {
        long seconds = Math.max(0, ns / NANOS);
        StringBuilder text = new StringBuilder(8);
        if (seconds >= 3600) {
            text.append(seconds / 3600).append(':');
            twoDigits(text, (int) (seconds % 3600 / 60));
        } else {
            text.append(seconds / 60);
        }
        return twoDigits(text.append(':'), (int) (seconds % 60)).toString();
    }

    /** "0.31 s", "12.4 s": a delay. */
    public static String delay(long ns) {
        double seconds = ns / 1e9;
        return Decimals.text(seconds, seconds < 9.995 ? 2 : 1) + " s";
    }

    private static StringBuilder twoDigits(StringBuilder text, int value) {
        return digits(text, value, 2);
    }

    private static StringBuilder digits(StringBuilder text, int value, int digits) {
        String decimal = Integer.toString(value);
        return text.append("0".repeat(digits - decimal.length())).append(decimal);
    }

    /** The current time, nanoseconds since the epoch. */
    public static long epochNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
