package io.offhook.calls.points;

/**
 * What happened to a stream between two points, from the first to the last packet that both have.
 *
 * @param matched packets that both points have
 * @param present packets at the first point
 * @param lost packets at the first point that the second lacks
 * @param lostBefore sequence numbers that the first point lacks
 * @param extra packets at the second point that the first lacks: the capture at the first lost them
 * @param delay differences of arrival, second less first
 */
public record SegmentFigures(long matched, long present, long lost, long lostBefore, long extra, Delay delay) {
    /**
     * Differences of arrival, by nearest rank. Across clocks only the spread has a meaning.
     *
     * @param medianMs the median, milliseconds
     * @param p95Ms the 95th percentile, milliseconds
     * @param maxMs the greatest, milliseconds
     * @param spreadMs the 95th less the 5th percentile, milliseconds
     */
    public record Delay(double medianMs, double p95Ms, double maxMs, double spreadMs) {}

    /** The share of packets lost between the points, 0 to 100. */
    public double lossPercent() {
        return present == 0 ? 0 : 100.0 * lost / present;
    }

    /** Whether the loss is what it seems: the capture at the first point is complete. */
    public boolean isTrusted() {
        return extra == 0;
    }
}
