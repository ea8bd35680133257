package io.offhook.audio.codec;

import java.util.Arrays;

/**
 * GSM full rate, 13 kbit/s (ETSI EN 300 961, GSM 06.10): frames of 160 samples at 8 kHz, in RTP 33 octets each with the
 * signature 1101 (RFC 3551, 4.5.8). A frame without the signature is silence. Octets behind the last whole frame are left
 * out.
 *
 * <pre>
 *   1101 | 8 log-area ratios: 6 6 5 5 4 4 3 3 bits
 *        | 4 times: lag 7, gain 2, grid position 2, block maximum 6, 13 pulses of 3 bits
 * </pre>
 *
 * <p>All arithmetic is that of clause 5.1, on 16 bits; names are those of clause 5.3.
 */
final class GsmDecoder implements AudioDecoder {
    static final int FRAME_OCTETS = 33;
    static final int FRAME_SAMPLES = 160;
    private static final int SIGNATURE = 0xd;
    private static final int SEGMENT = 40;
    private static final int LEAST_LAG = 40;
    private static final int MOST_LAG = 120;

    private static final int[] LAR_BITS = {6, 6, 5, 5, 4, 4, 3, 3};
    /** Tables 5.1 and 5.2: what undoes the quantization of the log-area ratios. */
    private static final int[] LAR_OFFSET = {0, 0, 2048, -2560, 94, -1792, -341, -1144};

    private static final int[] LAR_LEAST = {-32, -32, -16, -16, -8, -8, -4, -4};
    private static final int[] LAR_SCALE = {13107, 13107, 13107, 13107, 19223, 17476, 31454, 29708};
    /** Table 5.3b: gains of the long term. */
    private static final int[] GAIN = {3277, 11469, 21299, 32767};
    /** Table 5.6: mantissas of the block maximum. */
    private static final int[] MANTISSA = {18431, 20479, 22527, 24575, 26623, 28671, 30719, 32767};

    /** The 120 samples of residual before the segment, and the segment. */
    private final int[] residual = new int[MOST_LAG + SEGMENT];

    private int[] ratios = new int[8];
    private int[] ratiosBefore = new int[8];
    private final int[] reflections = new int[8];
    private final int[] lattice = new int[9];
    private final int[] pulses = new int[SEGMENT];
    private int lag = LEAST_LAG;
    private int deemphasis;

    private byte[] payload = {};
    private int bit;

    @Override
    public int rate() {
        return 8000;
    }

    @Override
    public int decode(byte[] payload, int length, short[] to) {
        int frames = Math.min(length / FRAME_OCTETS, to.length / FRAME_SAMPLES);
        this.payload = payload;
        for (int i = 0; i < frames; i++) {
            bit = i * FRAME_OCTETS * 8;
            if (bits(4) == SIGNATURE) {
                frame(to, i * FRAME_SAMPLES);
            } else {
                Arrays.fill(to, i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES, (short) 0);
            }
        }
        return frames * FRAME_SAMPLES;
    }

    private int bits(int count) {
        int value = 0;
        for (int end = bit + count; bit < end; bit++) {
            value = value << 1 | payload[bit >> 3] >> 7 - (bit & 7) & 1;
        }
        return value;
    }

    private void frame(short[] to, int at) {
        int[] kept = ratiosBefore;
        ratiosBefore = ratios;
        ratios = kept;
        for (int i = 0; i < 8; i++) {
            int value = Saturation.of((bits(LAR_BITS[i]) + LAR_LEAST[i] << 10) - 2 * LAR_OFFSET[i]);
            ratios[i] = Saturation.of(2 * Saturation.product(LAR_SCALE[i], value));
        }
        for (int segment = 0; segment < 4; segment++) {
            longTerm();
            for (int k = 0; k < SEGMENT; k++) {
                int sample = segment * SEGMENT + k;
                if (sample == 0 || sample == 13 || sample == 27 || sample == 40) {
                    reflections(sample);
                }
                to[at + sample] = output(shortTerm(residual[MOST_LAG + k]));
            }
            System.arraycopy(residual, SEGMENT, residual, 0, MOST_LAG);
        }
    }

    /** 5.3.1 and 5.3.2: the pulses on their grid, and the residual before them repeated. */
    private void longTerm() {
        int coded = bits(7);
        lag = coded < LEAST_LAG || coded > MOST_LAG ? lag : coded;
        int gain = GAIN[bits(2)];
        int grid = bits(2);
        pulses(grid, bits(6));
        for (int k = 0; k < SEGMENT; k++) {
            int repeated = Saturation.product(gain, residual[MOST_LAG + k - lag]);
            residual[MOST_LAG + k] = Saturation.of(pulses[k] + repeated);
        }
    }

    private void pulses(int grid, int maximum) {
        int exponent = maximum > 15 ? (maximum >> 3) - 1 : 0;
        int mantissa = maximum - (exponent << 3);
        if (mantissa == 0) {
            exponent = -4;
            mantissa = 7;
        } else {
            while (mantissa <= 7) {
                mantissa = mantissa << 1 | 1;
                exponent--;
            }
            mantissa -= 8;
        }
        int shift = 6 - exponent;
        int rounding = shift == 0 ? 0 : 1 << shift - 1;
        Arrays.fill(pulses, 0);
        for (int i = 0; i < 13; i++) {
            int scaled = Saturation.product(MANTISSA[mantissa], 2 * bits(3) - 7 << 12);
            pulses[grid + 3 * i] = Saturation.of(scaled + rounding) >> shift;
        }
    }

    /** 5.2.9.1 and 5.2.9.2: interpolates the ratios from one frame to the next, and makes reflection coefficients of them. */
    private void reflections(int sample) {
        for (int i = 0; i < 8; i++) {
            int before = ratiosBefore[i];
            int now = ratios[i];
            int ratio = switch (sample) {
                case 0 -> Saturation.of(Saturation.of((before >> 2) + (now >> 2)) + (before >> 1));
                case 13 -> Saturation.of((before >> 1) + (now >> 1));
                case 27 -> Saturation.of(Saturation.of((before >> 2) + (now >> 2)) + (now >> 1));
                default -> now;
            };
            int magnitude = Math.min(Math.abs(ratio), Short.MAX_VALUE);
            int reflection = magnitude < 11059
                    ? magnitude << 1
                    : magnitude < 20070 ? magnitude + 11059 : Saturation.of((magnitude >> 2) + 26112);
            reflections[i] = ratio < 0 ? -reflection : reflection;
        }
    }

    /** 5.3.4: the lattice filter of the vocal tract. */
    private int shortTerm(int excitation) {
        int signal = excitation;
        for (int i = 7; i >= 0; i--) {
            signal = Saturation.of(signal - Saturation.product(reflections[i], lattice[i]));
            lattice[i + 1] = Saturation.of(lattice[i] + Saturation.product(reflections[i], signal));
        }
        lattice[0] = signal;
        return signal;
    }

    /** 5.3.5 to 5.3.7: de-emphasis, and 13 bits in 16. */
    private short output(int signal) {
        deemphasis = Saturation.of(signal + Saturation.product(deemphasis, 28180));
        return (short) (Saturation.of(2 * deemphasis) & 0xfff8);
    }
}
