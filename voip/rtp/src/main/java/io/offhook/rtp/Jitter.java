package io.offhook.rtp;

import io.offhook.rtp.figures.MediaFigures;

/**
 * Interarrival jitter (RFC 3550, 6.4.1 and A.8), in milliseconds: the difference in transit time of packets that follow
 * each other in order of arrival, smoothed by 1/16.
 *
 * <p>A change in transit time of {@value #MAX_CHANGE_MS} ms or more is not jitter but a restarted timestamp (a sender
 * that paused its clock, or a change of source behind one SSRC). It is counted, and measuring continues from there.
 */
final class Jitter {
    static final double MAX_CHANGE_MS = 10_000;

    private double current;
    private double earlierMax;
    private double intervalMax;
    private double sum;
    private double skew;
    private long samples;
    private long lastArrivalNs;
    private int lastTimestamp;
    private int timestampJumps;
    private boolean known;
    private double msPerTick;

    Jitter() {}

    Jitter(Jitter other) {
        current = other.current;
        earlierMax = other.earlierMax;
        intervalMax = other.intervalMax;
        sum = other.sum;
        skew = other.skew;
        samples = other.samples;
        lastArrivalNs = other.lastArrivalNs;
        lastTimestamp = other.lastTimestamp;
        timestampJumps = other.timestampJumps;
        known = other.known;
        msPerTick = other.msPerTick;
    }

    /** The jitter as figures have it. */
    static Jitter of(MediaFigures.Jitter figures) {
        Jitter jitter = new Jitter();
        jitter.known = figures.isKnown();
        jitter.current = figures.level().lastMs();
        jitter.earlierMax = figures.level().maxMs();
        jitter.intervalMax = figures.level().openMaxMs();
        jitter.sum = figures.sumMs();
        jitter.samples = figures.samples();
        jitter.skew = figures.skewMs();
        jitter.timestampJumps = figures.timestampJumps();
        return jitter;
    }

    MediaFigures.Jitter figures() {
        MediaFigures.Level level = new MediaFigures.Level(current, maxMs(), intervalMax);
        return new MediaFigures.Jitter(known, level, sum, samples, skew, timestampJumps);
    }

    /**
     * @param msPerTick the tick of the packet's clock, above 0; a packet with another clock than the one before only
     *     becomes the new reference
     */
    void update(long arrivalNs, int timestamp, double msPerTick) {
        if (msPerTick == this.msPerTick) {
            double arrivalMs = (arrivalNs - lastArrivalNs) * 1e-6;
            double change = arrivalMs - (timestamp - lastTimestamp) * msPerTick;
            double size = Math.abs(change);
            if (size < MAX_CHANGE_MS) {
                current += (size - current) * 0.0625;
                sum += current;
                if (current > intervalMax) {
                    intervalMax = current;
                }
                skew -= change;
                samples++;
            } else {
                timestampJumps++;
            }
        }
        known = true;
        this.msPerTick = msPerTick;
        lastArrivalNs = arrivalNs;
        lastTimestamp = timestamp;
    }

    /**
     * Updates with packets that follow one by one, beginning with element {@code from} and before element {@code to}.
     *
     * @param timestamp of the first
     * @param step from each to the next
     */
    void update(long[] arrivals, int from, int to, int timestamp, int step, double msPerTick) {
        update(arrivals[from], timestamp, msPerTick);
        double stepMs = step * msPerTick;
        double jitter = current;
        double total = sum;
        double max = intervalMax;
        double lag = skew;
        int jumps = 0;
        for (int i = from + 1; i < to; i++) {
            double change = (arrivals[i] - arrivals[i - 1]) * 1e-6 - stepMs;
            double size = Math.abs(change);
            if (size < MAX_CHANGE_MS) {
                jitter += (size - jitter) * 0.0625;
                total += jitter;
                max = jitter > max ? jitter : max;
                lag -= change;
            } else {
                jumps++;
            }
        }
        current = jitter;
        sum = total;
        intervalMax = max;
        skew = lag;
        samples += to - from - 1 - jumps;
        timestampJumps += jumps;
        lastArrivalNs = arrivals[to - 1];
        lastTimestamp = timestamp + (to - from - 1) * step;
    }

    /** Drops the reference: the next packet is not compared with the one before. */
    void forgetReference() {
        msPerTick = 0;
    }

    /** Whether the clock of any packet was known. */
    boolean isKnown() {
        return known;
    }

    double currentMs() {
        return current;
    }

    double maxMs() {
        return Math.max(earlierMax, intervalMax);
    }

    /** Begins another interval: its highest jitter is found anew. */
    void beginInterval() {
        earlierMax = maxMs();
        intervalMax = 0;
    }

    /** The highest since the interval began. */
    double intervalMaxMs() {
        return intervalMax;
    }

    /** The sum over all samples. */
    double sum() {
        return sum;
    }

    /** The packets that were compared with the one before. */
    long samples() {
        return samples;
    }

    double meanMs() {
        return samples == 0 ? 0 : sum / samples;
    }

    /** The accumulated media time minus arrival time: positive if the sender's clock is fast. */
    double skewMs() {
        return skew;
    }

    int timestampJumps() {
        return timestampJumps;
    }
}
