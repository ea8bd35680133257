package io.offhook.research.timestamps;

import io.offhook.calls.TimestampText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.TimeZone;

/** Techniques for reading a timestamp: each returns nanoseconds since the epoch, or {@link #REFUSED}. */
final class TimestampReaders {
    static final long REFUSED = Long.MIN_VALUE;

    private static final DateTimeFormatter COMPACT =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

    private final SimpleDateFormat simpleCompact = simple("yyyyMMddHHmmss");
    private final SimpleDateFormat simpleRfc3339 = simple("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");

    /** A way. */
    interface Reader {
        long read(String text);
    }

    /** Its own formats: those of others must not be shared between threads. */
    TimestampReaders() {}

    private static SimpleDateFormat simple(String pattern) {
        SimpleDateFormat format = new SimpleDateFormat(pattern, Locale.ROOT);
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        return format;
    }

    /** As strict as possible; they are lenient by default. */
    TimestampReaders strict() {
        simpleCompact.setLenient(false);
        simpleRfc3339.setLenient(false);
        return this;
    }

    long simpleDateFormatCompact(String text) {
        return simple(simpleCompact, text);
    }

    /** Fractions of three digits: more of them are more milliseconds to it. */
    long simpleDateFormatRfc3339(String text) {
        return simple(simpleRfc3339, text);
    }

    @SuppressWarnings("JavaUtilDate") // what SimpleDateFormat has to offer
    private static long simple(SimpleDateFormat format, String text) {
        try {
            return format.parse(text).getTime() * 1_000_000;
        } catch (ParseException e) {
            return REFUSED;
        }
    }

    static long dateTimeFormatterCompact(String text) {
        try {
            return LocalDateTime.parse(text, COMPACT).toEpochSecond(ZoneOffset.UTC) * 1_000_000_000;
        } catch (DateTimeException e) {
            return REFUSED;
        }
    }

    static long dateTimeFormatterRfc3339(String text) {
        try {
            Instant instant = OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                    .toInstant();
            return instant.getEpochSecond() * 1_000_000_000 + instant.getNano();
        } catch (DateTimeException e) {
            return REFUSED;
        }
    }

    static long oursCompact(String text) {
        return known(TimestampText.compact(text));
    }

    static long oursRfc3339(String text) {
        return known(TimestampText.rfc3339(text));
    }

    private static long known(long result) {
        return TimestampText.isTime(result) ? result : REFUSED;
    }

    /** Contiguous texts of one length, as in a log file. */
    static MemorySegment bytes(String[] texts, Arena arena) {
        int length = texts[0].length();
        MemorySegment bytes = arena.allocate((long) length * texts.length);
        for (int i = 0; i < texts.length; i++) {
            for (int j = 0; j < length; j++) {
                bytes.set(ValueLayout.JAVA_BYTE, (long) length * i + j, (byte) texts[i].charAt(j));
            }
        }
        return bytes;
    }
}
