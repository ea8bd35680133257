package io.offhook.pcap.reader;

import java.util.Arrays;

/**
 * Converts the timestamps of a pcapng interface to nanoseconds since the epoch, in integers and without loss, except
 * that fractions of a nanosecond are rounded down. Times outside the years 1970 to 2116 are set to the end of that
 * range and counted.
 */
public final class TimestampScale {
    /**
     * The latest time, in the year 2116: later than any that classic pcap can express, and far enough from the largest
     * long that adding and subtracting times cannot overflow.
     */
    public static final long MOST_NS = (1L << 62) - 1;

    private static final long NS_PER_SECOND = 1_000_000_000L;

    private static final long[] POWERS_OF_TEN = new long[19];

    static {
        Arrays.setAll(POWERS_OF_TEN, TimestampScale::computePowerOfTen);
    }

    private final long unitsPerSecond;
    private final long offsetSeconds;
    private final long offsetNs;
    /** Nanoseconds per unit, if that is an integer; otherwise 0. */
    private final long multiplier;
    /** The most units that the multiplier keeps in range. */
    private final long mostUnits;
    /** Units per nanosecond (a power of ten), if that is an integer; 0 if it is not, or is above 2^63. */
    private final long divisor;
    /** The power of two of units per second, or -1. */
    private final int shift;

    private long clamped;

    /**
     * @param resolution the option if_tsresol: 6 for microseconds; with the highest bit set, a power of two
     * @param offsetSeconds the option if_tsoffset
     */
    TimestampScale(int resolution, long offsetSeconds) {
        this.offsetSeconds = offsetSeconds;
        offsetNs = Math.multiplyHigh(offsetSeconds, NS_PER_SECOND) == (offsetSeconds * NS_PER_SECOND) >> 63
                ? offsetSeconds * NS_PER_SECOND
                : offsetSeconds < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        int exponent = resolution & 0x7f;
        boolean binary = (resolution & 0x80) != 0;
        shift = binary ? exponent : -1;
        multiplier = !binary && exponent <= 9 ? POWERS_OF_TEN[9 - exponent] : 0;
        mostUnits = multiplier == 0 ? 0 : Long.MAX_VALUE / multiplier;
        divisor = !binary && exponent > 9 && exponent - 9 < POWERS_OF_TEN.length ? POWERS_OF_TEN[exponent - 9] : 0;
        unitsPerSecond = binary ? (exponent < 63 ? 1L << exponent : Long.MAX_VALUE) : powerOfTen(exponent);
    }

    private static long computePowerOfTen(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= 10;
        }
        return power;
    }

    private static long powerOfTen(int exponent) {
        return exponent < POWERS_OF_TEN.length ? POWERS_OF_TEN[exponent] : Long.MAX_VALUE;
    }

    /** Returns the units per second; {@link Long#MAX_VALUE} for anything finer. */
    long unitsPerSecond() {
        return unitsPerSecond;
    }

    long offsetSeconds() {
        return offsetSeconds;
    }

    /** Returns the timestamps clamped so far. */
    long clamped() {
        return clamped;
    }

    /**
     * @param units 64 bits, unsigned
     * @return 0 to {@link #MOST_NS}
     */
    long toNs(long units) {
        long ns = withoutOffsetNs(units);
        long result = ns + offsetNs;
        if (ns < 0 || result < 0 || result > MOST_NS) {
            clamped++;
            boolean tooEarly = ns >= 0 && offsetNs < 0 && result < 0;
            return tooEarly ? 0 : MOST_NS;
        }
        return result;
    }

    /** As {@link #toNs}, for a time that does not belong to a packet: if out of range, it is -1 and not counted. */
    long fittingNs(long units) {
        long ns = withoutOffsetNs(units);
        long result = ns + offsetNs;
        return ns < 0 || result < 0 || result > MOST_NS ? -1 : result;
    }

    /** Converts without the offset; negative if the result does not fit into 63 bits. */
    private long withoutOffsetNs(long units) {
        if (multiplier != 0) {
            return Long.compareUnsigned(units, mostUnits) <= 0 ? units * multiplier : -1;
        }
        if (shift >= 0) {
            return shiftedNs(units);
        }
        return divisor == 0 ? 0 : Long.divideUnsigned(units, divisor);
    }

    /** Returns units * 10^9 / 2^shift, computed in 128 bits; negative if it does not fit into 63. */
    private long shiftedNs(long units) {
        long high = Math.unsignedMultiplyHigh(units, NS_PER_SECOND);
        long low = units * NS_PER_SECOND;
        if (shift >= 64) {
            return high >>> (shift - 64);
        }
        if (shift == 0) {
            return high == 0 ? low : -1;
        }
        return high >>> shift != 0 ? -1 : high << (64 - shift) | low >>> shift;
    }
}
