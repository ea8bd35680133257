package io.offhook.audio;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Raises a sample rate by a rational factor: a polyphase FIR filter, a sinc under a Kaiser window, whose images are 70 dB
 * down; flat up to 0.84 of half the lower rate. Sample {@code n} of the output stands for the same time as sample {@code n *
 * from / to} of the input, so that positions need no correction for the filter's delay. Without a difference of rates,
 * samples pass unchanged.
 *
 * <p>Positions count from the beginning of the axis; input that does not continue what was given before begins anew.
 */
final class Upsampler {
    /** Samples on each side that an output sample depends on. */
    private static final int HALF = 24;

    private static final double CUT_OFF = 0.93;
    private static final double KAISER_BETA = 7;

    /** Receives the output. */
    interface Output {
        void sample(long position, int sample);
    }

    private final int up;
    private final int down;
    private final float[][] phases;
    private final Output output;
    private short[] held = new short[8192];
    private int heldCount;
    /** The position of the first sample held. */
    private long heldFrom;

    private long next;

    /**
     * @param from samples a second of the input
     * @param to samples a second of the output, {@code from} or more
     */
    Upsampler(int from, int to, Output output) {
        int divisor = greatestCommonDivisor(from, to);
        up = to / divisor;
        down = from / divisor;
        phases = up == 1 ? new float[0][] : phases(up);
        this.output = output;
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    private static float[][] phases(int up) {
        float[][] phases = new float[up][2 * HALF];
        for (int phase = 0; phase < up; phase++) {
            double sum = 0;
            double[] taps = new double[2 * HALF];
            for (int k = 0; k < taps.length; k++) {
                double t = k - (HALF - 1) - (double) phase / up;
                taps[k] = sinc(CUT_OFF * t) * window(t / HALF);
                sum += taps[k];
            }
            for (int k = 0; k < taps.length; k++) {
                phases[phase][k] = (float) (taps[k] / sum);
            }
        }
        return phases;
    }

    private static double sinc(double t) {
        return Math.abs(t) < 1e-9 ? 1 : Math.sin(Math.PI * t) / (Math.PI * t);
    }

    private static double window(double t) {
        return Math.abs(t) >= 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - t * t)) / bessel(KAISER_BETA);
    }

    /** The modified Bessel function of the first kind, of order 0. */
    private static double bessel(double x) {
        double sum = 1;
        double term = 1;
        for (int k = 1; term > 1e-12 * sum; k++) {
            term *= x / (2 * k) * (x / (2 * k));
            sum += term;
        }
        return sum;
    }

    /**
     * Adds samples of the input.
     *
     * @param position of the first one, at the rate of the input; not below the end of what was given before
     * @param from the element of the first one
     */
    void write(long position, short[] samples, int from, int count) {
        if (up == 1) {
            for (int i = 0; i < count; i++) {
                output.sample(position + i, samples[from + i]);
            }
            return;
        }
        long gap = position - heldFrom - heldCount;
        if (heldCount == 0 || gap > 2 * HALF) {
            end();
            heldFrom = position - HALF;
            append(null, 0, HALF);
            next = Math.max(0, Math.ceilDiv((position - HALF + 1) * up, down));
        } else {
            append(null, 0, (int) gap);
        }
        append(samples, from, count);
        generate();
    }

    /** Ends the input: what follows begins anew. */
    void end() {
        if (heldCount > 0) {
            append(null, 0, 2 * HALF); // what the last samples still ring
            generate();
            heldCount = 0;
        }
    }

    /** Appends samples, or zeros. */
    private void append(short @Nullable [] samples, int from, int count) {
        if (heldCount + count > held.length) {
            held = Arrays.copyOf(held, Math.max(2 * held.length, heldCount + count));
        }
        if (samples == null) {
            Arrays.fill(held, heldCount, heldCount + count, (short) 0);
        } else {
            System.arraycopy(samples, from, held, heldCount, count);
        }
        heldCount += count;
    }

    private void generate() {
        long end = heldFrom + heldCount - HALF;
        long at = next * down / up;
        while (at < end) {
            float[] taps = phases[(int) (next * down % up)];
            int first = (int) (at - heldFrom) - (HALF - 1);
            float sum = 0;
            // before the first sample held there is silence
            for (int k = Math.max(0, -first); k < taps.length; k++) {
                sum += taps[k] * held[first + k];
            }
            output.sample(next, Math.round(sum));
            next++;
            at = next * down / up;
        }
        int kept = Math.min(heldCount, 2 * HALF);
        System.arraycopy(held, heldCount - kept, held, 0, kept);
        heldFrom += heldCount - kept;
        heldCount = kept;
    }
}
