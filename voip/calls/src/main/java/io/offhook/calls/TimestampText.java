package io.offhook.calls;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;

/**
 * Reads the two texts that call records and logs carry a time as, to nanoseconds since 1970-01-01T00:00:00Z.
 *
 * <pre>
 * RFC 3339 (5.6)   2026-11-21T14:03:07Z   2026-11-21t14:03:07.5z   2026-11-21 15:03:07.123456789+01:00
 * compact          20261121140307                                  yyyyMMddHHmmss, UTC
 * </pre>
 *
 * <p>All of a text must fit. In RFC 3339 the T may be lower case or a space, and the Z lower case (both by the notes in
 * 5.6); seconds and offset must be there, the fraction has a point and 1 to 9 digits. The offset is -23:59 to +23:59, and
 * -00:00 is UTC (4.3). A compact text names no zone: where it is local time, the caller applies the zone's rules to what
 * is read here.
 *
 * <p>Months are 01 to 12, days 01 to what the month has (Gregorian leap years, as appendix C), hours 00 to 23 (24:00 is
 * refused), minutes 00 to 59. Second 60 is a leap second (5.7): taken only as the last of 30 June or 31 December in UTC,
 * in any year, for no table tells those to come. As POSIX counts no leap seconds it is read as the second after it, the
 * first of the next day: what is before 23:59:60.5 stays before it.
 *
 * <p>A result below {@link #EARLIEST_NS} is no time; {@link #status} says what it is instead. No text makes these methods
 * throw, and they allocate nothing. There is no state: any number of threads may use them.
 */
public final class TimestampText {
    /** 1677-09-21T00:12:44Z. The latest time that can be told is 2262-04-11T23:47:15.999999999Z. */
    public static final long EARLIEST_NS = -9_223_372_036_000_000_000L;

    private static final long FIRST_SECOND = -9_223_372_036L;
    private static final long LAST_SECOND = 9_223_372_035L;
    private static final int SECONDS_OF_DAY = 86_400;

    private static final long MALFORMED = Long.MIN_VALUE;
    private static final long OUT_OF_RANGE = Long.MIN_VALUE + 1;
    private static final long UNSUPPORTED = Long.MIN_VALUE + 2;

    private static final int COMPACT_LENGTH = 14;
    private static final int SECONDS_END = 19;
    private static final int MIN_LENGTH = 20;
    private static final int MAX_LENGTH = 35;
    private static final int MAX_DIGITS = 9;
    private static final int OFFSET_LENGTH = 6;
    private static final int LEAP_SECOND = 60;
    private static final int NO_OFFSET = Integer.MIN_VALUE;
    private static final long TOO_FINE = -1;
    /** From 1 March of the year -400 on. */
    private static final int DAYS_BEFORE_1970 = 719_468 + 146_097;

    private static final long ZEROS = 0x3030_3030_3030_3030L;
    private static final long HIGH_NIBBLES = 0xf0f0_f0f0_f0f0_f0f0L;
    /** Added to a digit it leaves the high nibble alone; to what comes behind '9' it does not. */
    private static final long SIXES = 0x0606_0606_0606_0606L;
    /** Two digits, for the places behind the six of a time. */
    private static final long NO_MORE = 0x3030_0000_0000_0000L;

    private static final int[] NANOSECONDS = {
        1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1
    };

    private TimestampText() {}

    /** What became of a text. */
    public enum Status {
        /** It is a time. */
        OK,
        /** It is not of that format. */
        MALFORMED,
        /** It has a field, or a day of a month, that cannot be: month 13, 29 February 2027, hour 24, offset +24:00. */
        OUT_OF_RANGE,
        /** Longer than 35 characters, finer than a nanosecond, or a time that 64 bits of nanoseconds cannot tell. */
        UNSUPPORTED
    }

    /** What a result of these methods says: {@link Status#OK} for a time. */
    public static Status status(long result) {
        if (result >= EARLIEST_NS) {
            return Status.OK;
        }
        return result == MALFORMED
                ? Status.MALFORMED
                : result == OUT_OF_RANGE ? Status.OUT_OF_RANGE : Status.UNSUPPORTED;
    }

    /** Whether a result of these methods is a time. */
    public static boolean isTime(long result) {
        return result >= EARLIEST_NS;
    }

    /** Reads {@code yyyyMMddHHmmss}, UTC. */
    public static long compact(CharSequence text) {
        return text.length() == COMPACT_LENGTH
                ? epochNs(word(text, 0), word(text, 6) >>> 16 | NO_MORE, 0, 0)
                : MALFORMED;
    }

    /**
     * Reads {@code yyyyMMddHHmmss}, UTC.
     *
     * @param segment where the text lies, in ASCII; native, on hot paths
     * @param length of the text in bytes
     * @throws IndexOutOfBoundsException when a text of the right length is not inside the segment
     */
    public static long compact(MemorySegment segment, long offset, int length) {
        return length == COMPACT_LENGTH
                ? epochNs(word(segment, offset), word(segment, offset + 6) >>> 16 | NO_MORE, 0, 0)
                : MALFORMED;
    }

    /** Reads RFC 3339's date-time. */
    public static long rfc3339(CharSequence text) {
        int length = text.length();
        if (length < MIN_LENGTH || length > MAX_LENGTH) {
            return length < MIN_LENGTH ? MALFORMED : UNSUPPORTED;
        }
        return rfc3339(
                word(text, 0),
                word(text, 8),
                word(text, 16, length),
                word(text, 24, length),
                word(text, 32, length),
                length);
    }

    /**
     * Reads RFC 3339's date-time.
     *
     * @param segment where the text lies, in ASCII; native, on hot paths
     * @param length of the text in bytes
     * @throws IndexOutOfBoundsException when a text of a possible length is not inside the segment
     */
    public static long rfc3339(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH || length > MAX_LENGTH) {
            return length < MIN_LENGTH ? MALFORMED : UNSUPPORTED;
        }
        return rfc3339(
                word(segment, offset),
                word(segment, offset + 8),
                word(segment, offset, 16, length),
                word(segment, offset, 24, length),
                word(segment, offset, 32, length),
                length);
    }

    /** Eight characters a word, the first in its low byte; zeros behind the last. */
    private static long rfc3339(long first, long second, long third, long fourth, long fifth, int length) {
        // behind the seconds come 16 characters at most
        long rest = third >>> 24 | fourth << 40;
        long farther = fourth >>> 24 | fifth << 40;
        int at = SECONDS_END;
        int digits = 0;
        long fraction = 0;
        if ((rest & 0xff) == '.') {
            for (int digit = 0; digit >= 0 && digit <= 9; digits++) {
                fraction = fraction * 10 + digit;
                rest = rest >>> 8 | farther << 56;
                farther >>>= 8;
                digit = (int) (rest & 0xff) - '0';
            }
            // the point was counted, not a digit
            digits--;
            at += 1 + digits;
            if (digits == 0) {
                return MALFORMED;
            }
        }
        int offset = offsetSeconds(rest, length - at);
        if (offset == NO_OFFSET || !isSeparated(first, second, third)) {
            return MALFORMED;
        }
        return epochNs(
                first & 0xffff_ffffL | (first >>> 40 & 0xffff) << 32 | second << 48,
                second >>> 24 & 0xffff | second >>> 48 << 16 | (third >>> 8 & 0xffff) << 32 | NO_MORE,
                digits > MAX_DIGITS ? TOO_FINE : fraction * NANOSECONDS[digits],
                offset);
    }

    /** Whether 2026-11-21T14:03:07 has its two hyphens, its T and its two colons. */
    private static boolean isSeparated(long first, long second, long third) {
        long t = second >>> 16 & 0xff;
        return (first & 0xff00_00ff_0000_0000L) == 0x2d00_002d_0000_0000L
                && (second & 0x0000_ff00_0000_0000L) == 0x0000_3a00_0000_0000L
                && (third & 0xff) == ':'
                && ((t | 0x20) == 't' || t == ' ');
    }

    /** RFC 3339's time-offset in seconds east; {@link #NO_OFFSET}, or {@link #SECONDS_OF_DAY} for one that cannot be. */
    private static int offsetSeconds(long text, int length) {
        int sign = (int) (text & 0xff);
        if (length == 1 && (sign | 0x20) == 'z') {
            return 0;
        }
        if (length != OFFSET_LENGTH || sign != '+' && sign != '-' || (text & 0xff00_0000L) != 0x3a00_0000L) {
            return NO_OFFSET;
        }
        long word = text >>> 8 & 0xffff | (text >>> 32 & 0xffff) << 16 | ZEROS << 32;
        if (!isDigits(word)) {
            return NO_OFFSET;
        }
        long pairs = pairs(word);
        int hours = (int) (pairs & 0xff);
        int minutes = (int) (pairs >>> 16 & 0xff);
        if (hours > 23 || minutes > 59) {
            return SECONDS_OF_DAY;
        }
        int seconds = hours * 3_600 + minutes * 60;
        return sign == '-' ? -seconds : seconds;
    }

    /**
     * @param date eight digits
     * @param time six digits, and {@link #NO_MORE}
     * @param offset of both from UTC, in seconds
     */
    private static long epochNs(long date, long time, long nanoseconds, int offset) {
        if (!isDigits(date) || !isDigits(time)) {
            return MALFORMED;
        }
        long days = pairs(date);
        long clock = pairs(time);
        int year = (int) (days & 0xff) * 100 + (int) (days >>> 16 & 0xff);
        int month = (int) (days >>> 32 & 0xff);
        int day = (int) (days >>> 48);
        int hour = (int) (clock & 0xff);
        int minute = (int) (clock >>> 16 & 0xff);
        int second = (int) (clock >>> 32 & 0xff);
        if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) {
            return OUT_OF_RANGE;
        }
        if (hour > 23 || minute > 59 || second > LEAP_SECOND || offset == SECONDS_OF_DAY) {
            return OUT_OF_RANGE;
        }
        int ofDay = (hour * 60 + minute) * 60 + second;
        long seconds = epochDay(year, month, day) * SECONDS_OF_DAY + ofDay - offset;
        if (second == LEAP_SECOND && !followsLeapSecond(seconds, year)) {
            return OUT_OF_RANGE;
        }
        if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanoseconds == TOO_FINE) {
            return UNSUPPORTED;
        }
        return seconds * 1_000_000_000L + nanoseconds;
    }

    /** Whether a second is the first of January or July of a year, or of the January after it: local time has the year. */
    private static boolean followsLeapSecond(long seconds, int year) {
        long day = Math.floorDiv(seconds, SECONDS_OF_DAY);
        return Math.floorMod(seconds, SECONDS_OF_DAY) == 0
                && (day == epochDay(year, 1, 1) || day == epochDay(year, 7, 1) || day == epochDay(year + 1, 1, 1));
    }

    private static int daysOf(int year, int month) {
        if (month == 2) {
            return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
        }
        // 31 in odd months up to July, in even ones from August on
        return 30 + (month + (month >>> 3) & 1);
    }

    /** Days since 1970-01-01 in the Gregorian calendar, also before it was made; years 0 to 10000. */
    private static long epochDay(int year, int month, int day) {
        // a year that begins in March has its leap day at its end; one cycle of 400 years later no year is negative
        int from = month > 2 ? year + 400 : year + 399;
        int ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        return from * 365L + from / 4 - from / 100 + from / 400 + ofYear - DAYS_BEFORE_1970;
    }

    /** Whether each of eight characters is 0 to 9. */
    private static boolean isDigits(long word) {
        return (word & HIGH_NIBBLES) == ZEROS && (word + SIXES & HIGH_NIBBLES) == ZEROS;
    }

    /** Of eight digits the four numbers that they are by twos, 16 bits each, the first in the lowest. */
    private static long pairs(long word) {
        long digits = word & 0x0f0f_0f0f_0f0f_0f0fL;
        return digits * 10 + (digits >>> 8) & 0x00ff_00ff_00ff_00ffL;
    }

    /** Eight characters; where one is no ASCII, such that no text may have them. Written out: a loop costs twice as much. */
    private static long word(CharSequence text, int from) {
        long c0 = text.charAt(from);
        long c1 = text.charAt(from + 1);
        long c2 = text.charAt(from + 2);
        long c3 = text.charAt(from + 3);
        long c4 = text.charAt(from + 4);
        long c5 = text.charAt(from + 5);
        long c6 = text.charAt(from + 6);
        long c7 = text.charAt(from + 7);
        long word = c0 | c1 << 8 | c2 << 16 | c3 << 24 | c4 << 32 | c5 << 40 | c6 << 48 | c7 << 56;
        return (c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7) > 0x7f ? -1 : word;
    }

    /** Of a text of eight characters or more those from an index on, as many as there are. */
    private static long word(CharSequence text, int from, int length) {
        if (length >= from + 8) {
            return word(text, from);
        }
        return length > from ? word(text, length - 8) >>> ((from + 8 - length) << 3) : 0;
    }

    private static long word(MemorySegment segment, long offset) {
        return Long.reverseBytes(NetworkOrder.bits64(segment, offset));
    }

    /** Of a text of eight bytes or more those from an index on, as many as there are; reads none behind it. */
    private static long word(MemorySegment segment, long offset, int from, int length) {
        if (length >= from + 8) {
            return word(segment, offset + from);
        }
        return length > from ? word(segment, offset + length - 8) >>> ((from + 8 - length) << 3) : 0;
    }
}
