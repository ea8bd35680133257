package io.offhook.rtp;

/** Round trips between the capture point and one participant: last, greatest, mean. Single-threaded. */
public final class RoundTrip {
    /** What takes longer is no round trip but an echo of something else. */
    private static final long LIMIT_NS = 60_000_000_000L;

    /** DLSR counts in 15 us, clocks differ: a round trip so little below zero is zero. */
    private static final long TOLERANCE_NS = 2_000_000;

    private long lastNs;
    private long maxNs;
    private long sumNs;
    private int count;
    private int implausible;

    RoundTrip() {}

    /** @param delay between receiving and answering, in 1/65536 s */
    void add(long sentNs, long answeredNs, long delay) {
        long ns = answeredNs - sentNs - delay * 1_000_000_000L / 65_536;
        if (ns < -TOLERANCE_NS || ns > LIMIT_NS) {
            implausible++;
            return;
        }
        lastNs = Math.max(0, ns);
        maxNs = Math.max(maxNs, lastNs);
        sumNs += lastNs;
        count++;
    }

    /** How many were measured; the figures are 0 before the first. */
    public int count() {
        return count;
    }

    /** The last one, in milliseconds. */
    public double lastMs() {
        return lastNs / 1e6;
    }

    /** The longest, in milliseconds. */
    public double maxMs() {
        return maxNs / 1e6;
    }

    /** The mean, in milliseconds. */
    public double meanMs() {
        return count == 0 ? 0 : sumNs / 1e6 / count;
    }

    /** Answers that came before the question, or after a minute. */
    public int implausible() {
        return implausible;
    }
}
