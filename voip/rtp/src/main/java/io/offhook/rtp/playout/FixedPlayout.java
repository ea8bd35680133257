package io.offhook.rtp.playout;

/**
 * A buffer of one size. The first packet of each epoch and spurt sets its offset; a first packet that was itself delayed
 * makes a deeper buffer, as in real ones. The clocks of sender and receiver drift apart by a step whenever the least
 * transit time of ten seconds differs by 10 ms from what it was.
 */
public final class FixedPlayout extends Playout {
    private static final long WINDOW_NS = 10_000 * NS_PER_MS;
    private static final long SKEW_NS = 10 * NS_PER_MS;

    /** Stands for the least of no packets. */
    private static final long NONE = Long.MAX_VALUE;

    private final long size;
    private long windowEnd;
    private long reference = NONE;
    private long least = NONE;
    private int skewSteps;

    FixedPlayout(int sizeMs) {
        size = sizeMs * NS_PER_MS;
    }

    @Override
    void closeWindows(long arrivalNs, boolean inOrder) {
        if (!inOrder || arrivalNs < windowEnd) {
            return;
        }
        if (reference == NONE) {
            reference = least;
        } else if (least != NONE && Math.abs(least - reference) >= SKEW_NS) {
            offset += least - reference;
            reference = least;
            skewSteps++;
        }
        least = NONE;
        windowEnd += ((arrivalNs - windowEnd) / WINDOW_NS + 1) * WINDOW_NS;
    }

    @Override
    void epoch(long arrivalNs, long x) {
        offset = x + size;
        windowEnd = arrivalNs + WINDOW_NS;
        reference = NONE;
        least = x;
    }

    @Override
    void beginSpurt(long arrivalNs, long x) {
        epoch(arrivalNs, x);
    }

    @Override
    void enter(long arrivalNs, long x) {
        least = Math.min(least, x);
    }

    @Override
    public JitterBuffer.Kind kind() {
        return JitterBuffer.Kind.FIXED;
    }

    @Override
    long sizeNs() {
        return size;
    }

    @Override
    void skewSteps(int steps) {
        skewSteps = steps;
    }

    @Override
    public int skewSteps() {
        return skewSteps;
    }
}
