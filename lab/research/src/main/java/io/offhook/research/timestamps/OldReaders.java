package io.offhook.research.timestamps;

import java.util.Calendar;
import java.util.Locale;
import java.util.TimeZone;

/**
 * The routine of an old thread that reads {@code yyyyMMddHHmmss} by hand into a Calendar, which it keeps: by arithmetic on the
 * digits, or by {@link Integer#parseInt(String)} of a part of the text each. It checks nothing: what is no digit makes some
 * number, and a lenient Calendar takes hour 99 for a later day. Not for several threads.
 */
final class OldReaders {
    private final Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("UTC"), Locale.ROOT);

    OldReaders() {
        calendar.clear();
    }

    /** By arithmetic on digits; nanoseconds since the epoch. */
    long digits(String text) {
        return ns(
                digits(text, 0) * 100 + digits(text, 2),
                digits(text, 4),
                digits(text, 6),
                digits(text, 8),
                digits(text, 10),
                digits(text, 12));
    }

    private static int digits(String text, int at) {
        return (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
    }

    /**
     * By parseInt; nanoseconds since the epoch.
     *
     * @throws NumberFormatException when a part is not a number
     */
    long parseInt(String text) {
        return ns(
                Integer.parseInt(text.substring(0, 4)),
                Integer.parseInt(text.substring(4, 6)),
                Integer.parseInt(text.substring(6, 8)),
                Integer.parseInt(text.substring(8, 10)),
                Integer.parseInt(text.substring(10, 12)),
                Integer.parseInt(text.substring(12, 14)));
    }

    private long ns(int year, int month, int day, int hour, int minute, int second) {
        calendar.set(year, month - 1, day, hour, minute, second);
        return calendar.getTimeInMillis() * 1_000_000;
    }
}
