package io.offhook.rtp;

/** Round trips between the place of capture and one participant: last, maximum and mean. Single-threaded. */
public final class RtcpRoundTrip {
    /** A longer time is not a round trip but the echo of something else. */
    private static final long LIMIT_NS = 60_000_000_000L;

    /** DLSR has a resolution of 15 us, and clocks differ: a round trip this little below zero counts as zero. */
    private static final long TOLERANCE_NS = 2_000_000;

    private long lastNs;
    private long maxNs;
    private long sumNs;
    private int count;
    private int implausible;

    RtcpRoundTrip() {}

    /** @param delay the time between receiving and answering, in 1/65536 s */
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

    /** The number of samples; before the first one, the other values are 0. */
    public int count() {
        return count;
    }

    /** The last round trip, in milliseconds. */
    public double lastMs() {
        return lastNs / 1e6;
    }

    /** The longest round trip, in milliseconds. */
    public double maxMs() {
        return maxNs / 1e6;
    }

    /** The mean round trip, in milliseconds. */
    public double meanMs() {
        return count == 0 ? 0 : sumNs / 1e6 / count;
    }

    /** Rejected samples: answers before the question, or more than a minute after it. */
    public int implausible() {
        return implausible;
    }
}
