package io.offhook.rtp.playout;

import java.util.Arrays;

/**
 * A buffer that follows the jitter, after WebRTC's NetEq: a packet's delay relative to the fastest one of the last two
 * seconds, its maximum in windows of 500 ms, and of the last twenty maxima the 0.95 quantile, rounded up to the next step
 * of 20 ms. It grows at once and shrinks by 10 ms a window, or at once between two spurts.
 */
public final class AdaptivePlayout extends Playout {
    private static final double WINDOW_MS = 500;
    private static final int WINDOWS = 20;
    private static final double STEP_MS = 20;
    private static final double SHRINK_MS = 10;
    private static final double START_MS = 80;

    private final int minMs;
    private final int maxMs;
    private final TransitMinimum fastest = new TransitMinimum();
    private double[] maxima = new double[2];
    private int windows;
    private double target;
    private double windowEnd;
    private double windowMax = Double.NaN;

    AdaptivePlayout(int minMs, int maxMs) {
        this.minMs = minMs;
        this.maxMs = maxMs;
        target = held(START_MS);
    }

    @Override
    public boolean isRegular(double arrivalMs, int step, int clockRate) {
        if (arrivalMs >= windowEnd || clockRate != this.clockRate || discardedInRow > 0 || afterComfortNoise) {
            return false;
        }
        long t = ticks + step;
        double media = t * 1000.0 / clockRate;
        double x = arrivalMs - media;
        double wait = media + offset - arrivalMs;
        double change = x - transit;
        if (!(wait >= 0) || wait >= target + DISTANT_MS || change >= JUMP_MS || change <= -JUMP_MS) {
            return false;
        }
        ticks = t;
        timestamp += step;
        transit = x;
        highestNumber++;
        highestTicks = t;
        double delay = x - fastest.add(arrivalMs, x);
        if (!(delay <= windowMax)) {
            windowMax = delay;
        }
        played++;
        waitSum += wait;
        if (wait > maxWait) {
            maxWait = wait;
        }
        return true;
    }

    private double held(double ms) {
        return Math.clamp(ms, minMs, maxMs);
    }

    @Override
    void closeWindows(double arrivalMs, boolean inOrder) {
        if (arrivalMs >= windowEnd && !Double.isNaN(windowMax)) {
            closeWindow(arrivalMs);
        }
    }

    private void closeWindow(double arrivalMs) {
        if (windows >= maxima.length && maxima.length < WINDOWS) {
            maxima = Arrays.copyOf(maxima, Math.min(WINDOWS, maxima.length * 2));
        }
        maxima[windows++ % WINDOWS] = windowMax;
        windowMax = Double.NaN;
        windowEnd += (Math.floor((arrivalMs - windowEnd) / WINDOW_MS) + 1) * WINDOW_MS;
        target = held(STEP_MS * (Math.floor(quantile() / STEP_MS) + 1));
        double least = fastest.before(arrivalMs);
        if (!Double.isNaN(least)) {
            double wanted = least + target;
            offset = wanted > offset ? wanted : Math.max(wanted, offset - SHRINK_MS);
        }
    }

    /** Of the kept maxima in ascending order the one of rank ceil(0.95 n): the greatest, or of 20 the one below it. */
    private double quantile() {
        int kept = Math.min(windows, WINDOWS);
        double greatest = Double.NEGATIVE_INFINITY;
        double second = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < kept; i++) {
            if (maxima[i] > greatest) {
                second = greatest;
                greatest = maxima[i];
            } else if (maxima[i] > second) {
                second = maxima[i];
            }
        }
        return kept == WINDOWS ? second : greatest;
    }

    @Override
    void epoch(double arrivalMs, double x) {
        fastest.clear();
        windows = 0;
        windowMax = Double.NaN;
        windowEnd = arrivalMs + WINDOW_MS;
        target = held(START_MS);
        offset = x + target;
        enter(arrivalMs, x);
    }

    @Override
    void beginSpurt(double arrivalMs, double x) {
        offset = enterAndFind(arrivalMs, x) + target;
    }

    @Override
    void enter(double arrivalMs, double x) {
        enterAndFind(arrivalMs, x);
    }

    private double enterAndFind(double arrivalMs, double x) {
        double least = fastest.add(arrivalMs, x);
        double delay = x - least;
        if (!(delay <= windowMax)) {
            windowMax = delay;
        }
        return least;
    }

    @Override
    public JitterBuffer.Kind kind() {
        return JitterBuffer.Kind.ADAPTIVE;
    }

    @Override
    public double sizeMs() {
        return target;
    }
}
