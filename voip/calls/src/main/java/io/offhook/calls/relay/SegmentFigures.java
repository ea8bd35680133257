package io.offhook.calls.relay;

/**
 * What happened to a stream between two points, packet by packet, in the stretch of it that is known at both. Each packet
 * counts once, however often it was captured.
 *
 * @param matched packets that both points have
 * @param present packets at the first point
 * @param lost packets at the first point that the second lacks, of payload types that it has
 * @param lostBefore sequence numbers that are missing at the first point, by its own count
 * @param extra packets at the second point that the first lacks: the capture at the first missed them, so that they are
 *     no loss, though part of {@code lostBefore}
 * @param stripped packets at the first point of payload types that the second does not have at all: not passed on
 * @param delay differences of arrival, second less first
 */
public record SegmentFigures(
        long matched, long present, long lost, long lostBefore, long extra, long stripped, Delay delay) {
    /**
     * Differences of arrival, by nearest rank. Where the offset of the clocks is not known, only differences between
     * them have a meaning.
     *
     * @param minMs the least, milliseconds
     * @param medianMs the median, milliseconds
     * @param p95Ms the 95th percentile, milliseconds
     * @param maxMs the greatest, milliseconds
     * @param spreadMs the 95th less the 5th percentile, milliseconds
     */
    public record Delay(double minMs, double medianMs, double p95Ms, double maxMs, double spreadMs) {
        /**
         * The delays of packets.
         *
         * @param ascending in nanoseconds, one or more
         */
        public static Delay of(long[] ascending) {
            double p95 = ranked(ascending, 95) / 1e6;
            return new Delay(
                    ascending[0] / 1e6,
                    ranked(ascending, 50) / 1e6,
                    p95,
                    ascending[ascending.length - 1] / 1e6,
                    p95 - ranked(ascending, 5) / 1e6);
        }
    }

    /** The value at a percentile of ascending values, by nearest rank. */
    public static long ranked(long[] ascending, int percent) {
        return ascending[Math.max(1, (int) Math.ceil(percent / 100.0 * ascending.length)) - 1];
    }

    /** Packets at the second point. */
    public long arrived() {
        return matched + extra;
    }

    /** Numbers that neither point has: lost before the first. */
    public long lostBeforeBoth() {
        return Math.max(0, lostBefore - extra);
    }

    /** The share of packets lost between the points, 0 to 100. */
    public double lossPercent() {
        return present == 0 ? 0 : 100.0 * lost / present;
    }

    /** Whether the loss is what it seems: the capture at the first point is complete. */
    public boolean isTrusted() {
        return extra == 0;
    }
}
