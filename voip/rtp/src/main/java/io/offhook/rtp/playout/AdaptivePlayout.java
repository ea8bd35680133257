package io.offhook.rtp.playout;

import java.util.Arrays;

/**
 * A buffer that follows the jitter, after WebRTC's NetEq: a packet's delay relative to the fastest one of the last two
 * seconds, its maximum in windows of 500 ms, and of the last twenty maxima the 0.95 quantile, rounded up to the next step
 * of 20 ms. It grows at once and shrinks by 10 ms a window, or at once between two spurts.
 */
public final class AdaptivePlayout extends Playout {
    private static final long WINDOW_NS = 500 * NS_PER_MS;
    private static final int WINDOWS = 20;
    private static final long STEP_NS = 20 * NS_PER_MS;
    private static final long SHRINK_NS = 10 * NS_PER_MS;
    private static final long START_NS = 80 * NS_PER_MS;

    /** Stands for the greatest delay in a window without packets. */
    private static final long NONE = -1;

    private final long minNs;
    private final long maxNs;
    private final TransitMinimum fastest = new TransitMinimum();
    private long[] maxima = new long[2];
    private int windows;
    /** The kept maxima of a step or more. */
    private int highMaxima;

    private long target;
    private long windowEnd;
    private long windowMax = NONE;

    AdaptivePlayout(int minMs, int maxMs) {
        minNs = minMs * NS_PER_MS;
        maxNs = maxMs * NS_PER_MS;
        target = held(START_NS);
    }

    @Override
    public int regular(long[] arrivals, int from, int to, int step, int clockRate) {
        if (clockRate != this.clockRate || discardedInRow > 0 || afterComfortNoise) {
            return 0;
        }
        long stepNs = wholeNs(step);
        if (stepNs < 0) {
            return 0;
        }
        long before = media(ticks);
        long firstChange = arrivals[from] - before - stepNs - transit;
        if (firstChange >= JUMP_NS || firstChange <= -JUMP_NS) {
            return 0; // between those that follow it is less: each waits at least 0 and less than the latest
        }
        int i = from;
        long media = before;
        long latest = target + DISTANT_NS;
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        long sum = 0;
        long x = 0;
        for (; i < to; i++) {
            long arrivalNs = arrivals[i];
            long next = arrivalNs - media - stepNs;
            long wait = offset - next;
            if (arrivalNs >= windowEnd || wait < 0 || wait >= latest) {
                break;
            }
            media += stepNs;
            x = next;
            sum += wait;
            least = Math.min(least, x);
            greatest = Math.max(greatest, x);
        }
        int count = i - from;
        if (count > 0) {
            if (greatest - fastest.leastOf(least) < STEP_NS) {
                addSteady(arrivals, from, i, before, stepNs, least);
            } else {
                addEach(arrivals, from, i, before, stepNs);
            }
            waitSum += sum;
            maxWait = Math.max(maxWait, offset - least);
            advance(count, step, x);
        }
        return count;
    }

    private void advance(int count, int step, long x) {
        ticks += (long) count * step;
        timestamp += count * step;
        transit = x;
        highestNumber += count;
        highestTicks = ticks;
        played += count;
    }

    /**
     * Takes note of the transit times of packets of which none is delayed by a whole step: the maximum of the window then
     * does not depend on them, and of the times only those that no later one undercuts.
     */
    private void addSteady(long[] arrivals, int from, int to, long before, long stepNs, long least) {
        long media = before - (from - 1) * stepNs;
        long undercut = 0;
        long lowest = Long.MAX_VALUE;
        int first = to;
        while (lowest > least) {
            first--;
            long x = arrivals[first] - (media + first * stepNs);
            if (x < lowest) {
                lowest = x;
                undercut |= 1L << first;
            }
        }
        for (long left = undercut; left != 0; left &= left - 1) {
            int i = Long.numberOfTrailingZeros(left);
            fastest.add(arrivals[i], arrivals[i] - (media + i * stepNs));
        }
        windowMax = Math.max(windowMax, 0);
    }

    private void addEach(long[] arrivals, int from, int to, long before, long stepNs) {
        long media = before;
        for (int i = from; i < to; i++) {
            media += stepNs;
            enterAndFind(arrivals[i], arrivals[i] - media);
        }
    }

    private long held(long ns) {
        return Math.clamp(ns, minNs, maxNs);
    }

    @Override
    void closeWindows(long arrivalNs, boolean inOrder) {
        if (arrivalNs >= windowEnd && windowMax != NONE) {
            closeWindow(arrivalNs);
        }
    }

    private void closeWindow(long arrivalNs) {
        if (windows >= maxima.length && maxima.length < WINDOWS) {
            maxima = Arrays.copyOf(maxima, Math.min(WINDOWS, maxima.length * 2));
        }
        int at = windows++ % WINDOWS;
        if (windows > WINDOWS && maxima[at] >= STEP_NS) {
            highMaxima--;
        }
        if (windowMax >= STEP_NS) {
            highMaxima++;
        }
        maxima[at] = windowMax;
        windowMax = NONE;
        windowEnd += ((arrivalNs - windowEnd) / WINDOW_NS + 1) * WINDOW_NS;
        target = held(highMaxima == 0 ? STEP_NS : (quantile() / STEP_NS + 1) * STEP_NS);
        long least = fastest.before(arrivalNs);
        if (least != TransitMinimum.NONE) {
            offset = Math.max(least + target, offset - SHRINK_NS);
        }
    }

    /** Of the kept maxima in ascending order the one of rank ceil(0.95 n): the greatest, or of 20 the one below it. */
    private long quantile() {
        int kept = Math.min(windows, WINDOWS);
        long greatest = Long.MIN_VALUE;
        long second = Long.MIN_VALUE;
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
    void epoch(long arrivalNs, long x) {
        fastest.clear();
        windows = 0;
        highMaxima = 0;
        windowMax = NONE;
        windowEnd = arrivalNs + WINDOW_NS;
        target = held(START_NS);
        offset = x + target;
        enter(arrivalNs, x);
    }

    @Override
    void beginSpurt(long arrivalNs, long x) {
        offset = enterAndFind(arrivalNs, x) + target;
    }

    @Override
    void enter(long arrivalNs, long x) {
        enterAndFind(arrivalNs, x);
    }

    private long enterAndFind(long arrivalNs, long x) {
        long least = fastest.add(arrivalNs, x);
        windowMax = Math.max(windowMax, x - least);
        return least;
    }

    @Override
    public JitterBuffer.Kind kind() {
        return JitterBuffer.Kind.ADAPTIVE;
    }

    @Override
    void sizeNs(long ns) {
        target = ns;
    }

    @Override
    long sizeNs() {
        return target;
    }
}
