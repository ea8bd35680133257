package io.offhook.rtp.tones;

import java.util.function.Consumer;

/**
 * Finds the keys in audio of 8000 samples a second: two tones at a time, one of each group (ITU-T Q.23).
 *
 * <pre>
 *  Hz    1209  1336  1477  1633
 *  697     1     2     3     A
 *  770     4     5     6     B
 *  852     7     8     9     C
 *  941     *     0     #     D
 * </pre>
 *
 * <p>The limits are those of a receiver by ITU-T Q.24: frequencies up to 1.8 % off are accepted and from 3.5 % on
 * refused; the higher tone may be 4 dB stronger or 8 dB weaker than the lower one; 40 ms of tones and 40 ms of pause are
 * enough, and an interruption of 10 ms is none; 0 to -25 dBm0 each. Against speech, the two tones must have nearly all
 * the power, which leaves nothing for harmonics, and keep their frequencies for four blocks.
 *
 * <p>A block of {@value #BLOCK} samples is narrower than the tolerance of the frequencies: the advance of the phase from
 * one block to the next, half a block later, gives them to a few hertz. Allocates nothing but keys. Single-threaded.
 */
public final class ToneDetector {
    /** Samples in a block. */
    static final int BLOCK = 102;

    private static final int HOP = BLOCK / 2;
    private static final int GROUP = 4;
    private static final double[] HERTZ = {697, 770, 852, 941, 1209, 1336, 1477, 1633};
    private static final String KEYS = "123A456B789C*0#D";

    /** Between the 1.8 % that are accepted and the 3.5 % that are not. */
    private static final double MOST_OFF = 0.026;

    /** Blocks in a row that make a key: 40 ms have four whole ones, 20 ms only two. */
    private static final int BLOCKS_OF_KEY = 4;

    /** Blocks in a row without the tones that end a key: a pause of 40 ms has four. */
    private static final int BLOCKS_OF_PAUSE = 3;

    /** The most missing samples that may lie within a key: 40 ms could hide a pause. */
    private static final int LONGEST_HOLE = 319;

    /** The share of the two tones in the power of a block that begins a key; less while their frequencies are unknown. */
    private static final double PURE = 0.94;

    private static final double PURE_AT_FIRST = 0.78;

    /** The same within a key. */
    private static final double PURE_ENOUGH = 0.4;

    /** Twist, with 1.5 dB for noise: the high group over the low one in power. */
    private static final double MOST_TWIST = Math.pow(10, 0.55);

    private static final double LEAST_TWIST = Math.pow(10, -0.95);

    /** The most that the power of a tone changes from block to block: 2 dB. */
    private static final double MOST_CHANGE = Math.pow(10, 0.2);

    /** 0 dBm0 is 3.17 dB below the largest sine of G.711, whose peak is 32124 (G.711, tables 1 and 2). */
    private static final double FULL = 32_124 * Math.pow(10, -3.17 / 20);

    /** The power of a tone of -30 dBm0; within a key, 8 dB less. */
    private static final double LEAST_POWER = FULL * FULL / 2 * 1e-3;

    private static final double LEAST_POWER_WITHIN = LEAST_POWER * 0.16;

    private static final double[] WINDOW = new double[BLOCK];
    private static final double WINDOW_SUM;
    private static final double WINDOW_SQUARES;
    private static final double[] ADVANCE = new double[HERTZ.length];
    private static final double[] COSINE = new double[HERTZ.length];
    private static final double[] SINE = new double[HERTZ.length];

    static {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < BLOCK; i++) { // Hann: the tone of the other group does not disturb the phase
            WINDOW[i] = 0.5 - 0.5 * Math.cos(2 * Math.PI * (i + 0.5) / BLOCK);
            sum += WINDOW[i];
            squares += WINDOW[i] * WINDOW[i];
        }
        WINDOW_SUM = sum;
        WINDOW_SQUARES = squares;
        for (int i = 0; i < HERTZ.length; i++) {
            ADVANCE[i] = 2 * Math.PI * HERTZ[i] / G711.RATE;
            COSINE[i] = Math.cos(ADVANCE[i]);
            SINE[i] = Math.sin(ADVANCE[i]);
        }
    }

    private final Consumer<ToneKey> keys;
    private final double[] samples = new double[BLOCK];
    private final double[] windowed = new double[BLOCK];
    private final double[] real = new double[HERTZ.length];
    private final double[] imaginary = new double[HERTZ.length];
    private final double[] lastReal = new double[HERTZ.length];
    private final double[] lastImaginary = new double[HERTZ.length];
    private int filled;
    private long position;
    private long firstHalfNs;
    private long secondHalfNs;
    private int lastKey = -1;
    /** Whether the last block was the same key at the same level, which a tone keeps and speech does not. */
    private boolean isSteady;

    private boolean isInTune;

    private int candidate = -1;
    private int candidateBlocks;
    private long candidateStart;
    private long candidateNs;

    private int key = -1;
    private long keyStart;
    private long keyNs;
    private long keyEnd;
    private int missing;

    /** Creates a detector that has heard nothing. {@code keys} receives each key when it has ended. */
    public ToneDetector(Consumer<ToneKey> keys) {
        this.keys = keys;
    }

    /**
     * Takes the next sample.
     *
     * @param sample 16 bits
     * @param arrivalNs the arrival of its packet, nanoseconds since the epoch
     */
    public void sample(int sample, long arrivalNs) {
        if (filled == 0) {
            firstHalfNs = arrivalNs;
        } else if (filled == HOP) {
            secondHalfNs = arrivalNs;
        }
        samples[filled++] = sample;
        position++;
        if (filled == BLOCK) {
            block();
            System.arraycopy(samples, HOP, samples, 0, HOP);
            firstHalfNs = secondHalfNs;
            filled = HOP;
        }
    }

    /**
     * Takes silence: a key that is pressed ends if it is long enough.
     *
     * @param count samples, 0 or more
     * @param arrivalNs the arrival of the packet behind it, nanoseconds since the epoch
     */
    public void silence(long count, long arrivalNs) {
        long enough = Math.min(count, (long) (BLOCKS_OF_PAUSE + 2) * HOP);
        for (long i = 0; i < enough; i++) {
            sample(0, arrivalNs);
        }
        position += count - enough;
    }

    /**
     * Takes a hole: samples that nobody knows. A key goes on over a short one; a long one is silence.
     *
     * @param count samples, 0 or more
     * @param arrivalNs the arrival of the packet behind it, nanoseconds since the epoch
     */
    public void hole(long count, long arrivalNs) {
        if (count > LONGEST_HOLE) {
            silence(count, arrivalNs);
        } else if (count > 0) {
            position += count;
            filled = 0;
            lastKey = -1;
        }
    }

    /** Ends the audio, and a key that is pressed. */
    public void end() {
        endKey();
        candidate = -1;
        candidateBlocks = 0;
        filled = 0;
        lastKey = -1;
    }

    private void block() {
        double energy = 0;
        for (int i = 0; i < BLOCK; i++) {
            double value = samples[i] * WINDOW[i];
            windowed[i] = value;
            energy += value * value;
        }
        int heard = -1;
        if (energy / WINDOW_SQUARES >= LEAST_POWER_WITHIN) {
            heard = strongest(energy);
        } else {
            lastKey = -1;
        }
        within(heard);
        begin(heard);
    }

    /**
     * The key of the strongest tone of each group, -1 if they are too weak; sets whether they may begin a key.
     *
     * @param energy of the block, windowed
     */
    private int strongest(double energy) {
        System.arraycopy(real, 0, lastReal, 0, real.length);
        System.arraycopy(imaginary, 0, lastImaginary, 0, imaginary.length);
        for (int i = 0; i < HERTZ.length; i++) {
            goertzel(i);
        }
        int low = strongest(0);
        int high = strongest(GROUP);
        int found = low * GROUP + high - GROUP;
        isSteady = found == lastKey && keepsLevel(low) && keepsLevel(high);
        lastKey = found;
        double lowOff = isSteady ? hertzOff(low) : 0;
        double highOff = isSteady ? hertzOff(high) : 0;
        double lowPower = tonePower(low, lowOff);
        double highPower = tonePower(high, highOff);
        double pure = (lowPower + highPower) * WINDOW_SQUARES / energy;
        double power = Math.min(lowPower, highPower);
        isInTune = pure >= (isSteady ? PURE : PURE_AT_FIRST)
                && power >= LEAST_POWER
                && highPower <= lowPower * MOST_TWIST
                && highPower >= lowPower * LEAST_TWIST
                && Math.abs(lowOff) <= HERTZ[low] * MOST_OFF
                && Math.abs(highOff) <= HERTZ[high] * MOST_OFF;
        return pure >= PURE_ENOUGH && power >= LEAST_POWER_WITHIN ? found : -1;
    }

    /** The Fourier coefficient of the block at a frequency, but for a constant phase. */
    private void goertzel(int tone) {
        double factor = 2 * COSINE[tone];
        double one = 0;
        double two = 0;
        for (int i = 0; i < BLOCK; i++) {
            double next = windowed[i] + factor * one - two;
            two = one;
            one = next;
        }
        real[tone] = one - COSINE[tone] * two;
        imaginary[tone] = SINE[tone] * two;
    }

    private int strongest(int from) {
        int best = from;
        for (int i = from + 1; i < from + GROUP; i++) {
            if (magnitude(i) > magnitude(best)) {
                best = i;
            }
        }
        return best;
    }

    private double magnitude(int tone) {
        return real[tone] * real[tone] + imaginary[tone] * imaginary[tone];
    }

    private boolean keepsLevel(int tone) {
        double now = magnitude(tone);
        double before = lastReal[tone] * lastReal[tone] + lastImaginary[tone] * lastImaginary[tone];
        return now <= before * MOST_CHANGE && before <= now * MOST_CHANGE;
    }

    /** How far a tone is above its frequency, by the phase since the last block. */
    private double hertzOff(int tone) {
        double phase = Math.atan2(imaginary[tone], real[tone]) - Math.atan2(lastImaginary[tone], lastReal[tone]);
        double off = phase - ADVANCE[tone] * HOP;
        return (off - 2 * Math.PI * Math.rint(off / (2 * Math.PI))) * G711.RATE / (2 * Math.PI * HOP);
    }

    /** The power of a tone: what the window takes from one beside the frequency is added again. */
    private static double gain(double hertzOff) {
        double bins = Math.min(Math.abs(hertzOff) * BLOCK / G711.RATE, 0.5);
        return bins < 1e-6 ? 1 : Math.sin(Math.PI * bins) / (Math.PI * bins * (1 - bins * bins));
    }

    private double tonePower(int tone, double hertzOff) {
        double gain = gain(hertzOff) * WINDOW_SUM;
        return 2 * magnitude(tone) / (gain * gain);
    }

    /** Continues the key that is pressed, or ends it. */
    private void within(int heard) {
        if (key < 0) {
            return;
        }
        if (heard == key) {
            keyEnd = position;
            missing = 0;
        } else if (++missing == BLOCKS_OF_PAUSE) {
            endKey();
        }
    }

    /** Collects the blocks in a row that make a key. */
    private void begin(int heard) {
        if (heard < 0 || !isInTune) {
            candidateBlocks = 0;
            return;
        }
        if (heard != candidate || candidateBlocks == 0 || !isSteady) {
            candidate = heard;
            candidateBlocks = 0;
            candidateStart = position - BLOCK;
            candidateNs = firstHalfNs;
        }
        if (++candidateBlocks == BLOCKS_OF_KEY && candidate != key) {
            endKey();
            key = candidate;
            keyStart = candidateStart;
            keyNs = candidateNs;
            keyEnd = position;
            missing = 0;
        }
    }

    private void endKey() {
        if (key >= 0) {
            int durationMs = (int) Math.min((keyEnd - keyStart) * 1000 / G711.RATE, Integer.MAX_VALUE);
            keys.accept(new ToneKey(KEYS.charAt(key), keyNs, durationMs));
            key = -1;
        }
    }
}
