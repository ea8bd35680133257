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
    /** The kept maxima of a step or more. */
    private int highMaxima;

    private double target;
    private double windowEnd;
    private double windowMax = Double.NaN;

    AdaptivePlayout(int minMs, int maxMs) {
        this.minMs = minMs;
        this.maxMs = maxMs;
        target = held(START_MS);
    }

    @Override
    public int regular(long[] arrivals, int from, int to, long startNs, int step, int clockRate) {
        if (clockRate != this.clockRate || discardedInRow > 0 || afterComfortNoise) {
            return 0;
        }
        double latest = target + DISTANT_MS;
        double before = transit;
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        double sum = waitSum;
        double longest = maxWait;
        long t = ticks;
        int i = from;
        for (; i < to; i++) {
            double arrivalMs = (arrivals[i] - startNs) / 1e6;
            double media = (t + step) * 1000.0 / clockRate;
            double x = arrivalMs - media;
            double wait = media + offset - arrivalMs;
            double change = x - before;
            if (arrivalMs >= windowEnd || !(wait >= 0) || wait >= latest || change >= JUMP_MS || change <= -JUMP_MS) {
                break;
            }
            t += step;
            before = x;
            sum += wait;
            longest = wait > longest ? wait : longest;
            least = x < least ? x : least;
            greatest = x > greatest ? x : greatest;
        }
        int count = i - from;
        if (count > 0) {
            if (greatest - fastest.leastOf(least) < STEP_MS) {
                addSteady(arrivals, from, i, startNs, step, least);
            } else {
                addEach(arrivals, from, i, startNs, step);
            }
            ticks = t;
            timestamp += count * step;
            transit = before;
            highestNumber += count;
            highestTicks = t;
            played += count;
            waitSum = sum;
            maxWait = longest;
        }
        return count;
    }

    /**
     * Takes note of the transit times of packets of which none is delayed by a whole step: the maximum of the window then
     * does not depend on them, and of the times only those that no later one undercuts.
     */
    private void addSteady(long[] arrivals, int from, int to, long startNs, int step, double least) {
        long undercut = 0;
        double lowest = Double.POSITIVE_INFINITY;
        int first = to;
        while (lowest > least) {
            double x = transit(arrivals, --first, from, startNs, step);
            if (x < lowest) {
                lowest = x;
                undercut |= 1L << first;
            }
        }
        for (long left = undercut; left != 0; left &= left - 1) {
            int i = Long.numberOfTrailingZeros(left);
            fastest.add((arrivals[i] - startNs) / 1e6, transit(arrivals, i, from, startNs, step));
        }
        if (!(windowMax >= 0)) {
            windowMax = 0;
        }
    }

    private void addEach(long[] arrivals, int from, int to, long startNs, int step) {
        for (int i = from; i < to; i++) {
            enterAndFind((arrivals[i] - startNs) / 1e6, transit(arrivals, i, from, startNs, step));
        }
    }

    private double transit(long[] arrivals, int i, int from, long startNs, int step) {
        return (arrivals[i] - startNs) / 1e6 - (ticks + (i - from + 1) * (long) step) * 1000.0 / clockRate;
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
        int at = windows++ % WINDOWS;
        if (windows > WINDOWS && maxima[at] >= STEP_MS) {
            highMaxima--;
        }
        if (windowMax >= STEP_MS) {
            highMaxima++;
        }
        maxima[at] = windowMax;
        windowMax = Double.NaN;
        windowEnd += (Math.floor((arrivalMs - windowEnd) / WINDOW_MS) + 1) * WINDOW_MS;
        target = held(highMaxima == 0 ? STEP_MS : STEP_MS * (Math.floor(quantile() / STEP_MS) + 1));
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
        highMaxima = 0;
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
