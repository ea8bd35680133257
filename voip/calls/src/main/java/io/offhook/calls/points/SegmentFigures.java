package io.offhook.calls.points;

/**
 * What happened to a stream between two points, in the stretch of it that both captures cover. Each packet counts once,
 * however often it was captured.
 *
 * @param matched packets that both points have
 * @param present packets at the first point
 * @param lost packets at the first point that the second lacks
 * @param lostBefore sequence numbers that neither point has: lost before the first
 * @param extra packets at the second point that the first lacks: the capture at the first missed them
 * @param delay differences of arrival, second less first
 */
public record SegmentFigures(long matched, long present, long lost, long lostBefore, long extra, Delay delay) {
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
    public record Delay(double minMs, double medianMs, double p95Ms, double maxMs, double spreadMs) {}

    /** Packets at the second point. */
    public long arrived() {
        return matched + extra;
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
