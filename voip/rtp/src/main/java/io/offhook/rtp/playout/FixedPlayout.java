package io.offhook.rtp.playout;

/**
 * A buffer of one size. The first packet of each epoch and spurt sets its offset; a first packet that was itself delayed
 * makes a deeper buffer, as in real ones. The clocks of sender and receiver drift apart by a step whenever the least
 * transit time of ten seconds differs by 10 ms from what it was.
 */
public final class FixedPlayout extends Playout {
    private static final double WINDOW_MS = 10_000;
    private static final double SKEW_MS = 10;

    private final double size;
    private double windowEnd;
    private double reference = Double.NaN;
    private double least = Double.NaN;
    private int skewSteps;

    FixedPlayout(int sizeMs) {
        size = sizeMs;
    }

    @Override
    void closeWindows(double arrivalMs, boolean inOrder) {
        if (!inOrder || !(arrivalMs >= windowEnd)) {
            return;
        }
        if (Double.isNaN(reference)) {
            reference = least;
        } else if (Math.abs(least - reference) >= SKEW_MS) { // false for an empty window
            offset += least - reference;
            reference = least;
            skewSteps++;
        }
        least = Double.NaN;
        windowEnd += (Math.floor((arrivalMs - windowEnd) / WINDOW_MS) + 1) * WINDOW_MS;
    }

    @Override
    void epoch(double arrivalMs, double x) {
        offset = x + size;
        windowEnd = arrivalMs + WINDOW_MS;
        reference = Double.NaN;
        least = x;
    }

    @Override
    void beginSpurt(double arrivalMs, double x) {
        epoch(arrivalMs, x);
    }

    @Override
    void enter(double arrivalMs, double x) {
        if (!(x >= least)) {
            least = x;
        }
    }

    @Override
    public JitterBuffer.Kind kind() {
        return JitterBuffer.Kind.FIXED;
    }

    @Override
    public double sizeMs() {
        return size;
    }

    @Override
    public int skewSteps() {
        return skewSteps;
    }
}
