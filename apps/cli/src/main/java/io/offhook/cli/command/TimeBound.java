package io.offhook.cli.command;

import io.offhook.calls.TimestampText;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * A limit set by {@code --since} or {@code --until}: ISO 8601, yyyyMMddHHmmss as in call records, seconds since the epoch,
 * or a time of day, which is on the day on which the capture begins.
 */
public final class TimeBound {
    private static final String EXPECTED =
            " is not a time; examples: 2026-11-21T14:03:07Z, 2026-11-21T14:03, 2026-11-21, 20261121140307, 1795269787.5,"
                    + " 14:03[:07]";

    private final long ns;
    private final @Nullable LocalTime ofDay;
    private final ZoneId zone;

    private TimeBound(long ns, @Nullable LocalTime ofDay, ZoneId zone) {
        this.ns = ns;
        this.ofDay = ofDay;
        this.zone = zone;
    }

    /** The value of {@code --since}; null if it was not given. A date alone stands for its beginning. */
    public static @Nullable TimeBound since(ParseResult arguments, ZoneId zone) {
        String text = arguments.optionValue("--since", String.class);
        return text == null ? null : of("--since", text, false, zone);
    }

    /** The value of {@code --until}; null if it was not given. A date alone stands for its end. */
    public static @Nullable TimeBound until(ParseResult arguments, ZoneId zone) {
        String text = arguments.optionValue("--until", String.class);
        return text == null ? null : of("--until", text, true, zone);
    }

    /**
     * Parses a time.
     *
     * @param option its name, for the message
     * @param endOfDay whether a date alone stands for its end
     * @param zone the time zone of times without one
     * @throws MisuseException if {@code text} is not a time
     */
    public static TimeBound of(String option, String text, boolean endOfDay, ZoneId zone) {
        try {
            if (text.matches("[0-9]{14}")) {
                return at(local(known(TimestampText.compact(text)), zone), zone);
            }
            if (text.matches("-?[0-9]+(\\.[0-9]{1,9})?")) {
                return at(new BigDecimal(text).movePointRight(9).longValueExact(), zone);
            }
            if (text.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")) {
                LocalDate date = LocalDate.parse(text).plusDays(endOfDay ? 1 : 0);
                return at(ns(date.atStartOfDay(zone).toInstant()) - (endOfDay ? 1 : 0), zone);
            }
            if (text.matches("[0-9]{1,2}:.*")) {
                return new TimeBound(0, LocalTime.parse(text.indexOf(':') == 1 ? "0" + text : text), zone);
            }
            String iso = text.replace(' ', 'T').replace('t', 'T');
            if (iso.matches(".*([zZ]|[+-][0-9]{2}(:?[0-9]{2})?)$") && iso.indexOf('T') > 0 && hasOffset(iso)) {
                return at(known(TimestampText.rfc3339(normalized(iso))), zone);
            }
            return at(ns(LocalDateTime.parse(iso).atZone(zone).toInstant()), zone);
        } catch (DateTimeException | ArithmeticException e) {
            throw new MisuseException(option + " " + text + EXPECTED);
        }
    }

    private static boolean hasOffset(String iso) {
        String time = iso.substring(iso.indexOf('T'));
        return time.endsWith("Z") || time.endsWith("z") || time.indexOf('+') > 0 || time.indexOf('-') > 0;
    }

    /** Completes a time to RFC 3339: "+0100" and "+01" become "+01:00", and missing seconds "00". */
    private static String normalized(String iso) {
        return iso.replaceFirst("([+-][0-9]{2})([0-9]{2})$", "$1:$2")
                .replaceFirst("([+-][0-9]{2})$", "$1:00")
                .replaceFirst("(T[0-9]{2}:[0-9]{2})([zZ+-].*)$", "$1:00$2");
    }

    private static long known(long timestamp) {
        if (!TimestampText.isTime(timestamp)) {
            throw new DateTimeException(TimestampText.status(timestamp).name());
        }
        return timestamp;
    }

    /** Reinterprets a local time that was parsed as UTC in its time zone. */
    private static long local(long ns, ZoneId zone) {
        return ns(LocalDateTime.ofInstant(Instant.ofEpochSecond(0, ns), ZoneOffset.UTC)
                .atZone(zone)
                .toInstant());
    }

    private static TimeBound at(long ns, ZoneId zone) {
        return new TimeBound(ns, null, zone);
    }

    private static long ns(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }

    /** Nanoseconds since the epoch, given the time of the capture's first packet. */
    public long ns(long captureFirstNs) {
        if (ofDay == null) {
            return ns;
        }
        LocalDate day = Instant.ofEpochSecond(0, captureFirstNs).atZone(zone).toLocalDate();
        return ns(day.atTime(ofDay).atZone(zone).toInstant());
    }
}
