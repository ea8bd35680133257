package io.offhook.audio.codec;

import java.util.Arrays;

/**
 * ITU-T G.726, adaptive differential code of 2, 3, 4 or 5 bits a sample at 8 kHz: 16, 24, 32 or 40 kbit/s. The bits of
 * successive samples are packed from the lowest of an octet upwards (RFC 3551, 4.5.4: {@code G726-32}) or from the highest
 * downwards (ITU-T I.366.2, annex E: {@code AAL2-G726-32}). Bits behind the last whole sample are left out.
 *
 * <p>Samples are the linear ones of the Recommendation's clause 4 ({@code SR}), from 14 bits to 16. Names are those of its
 * signals.
 */
final class G726Decoder implements AudioDecoder {
    private static final int NONE = -2048;

    /** For each number of bits from 2 on, by magnitude: the quantized logarithm of the difference, tables 7 to 10. */
    private static final int[][] DQLN = {
        {116, 365},
        {NONE, 135, 273, 373},
        {NONE, 4, 135, 213, 273, 323, 373, 425},
        {NONE, -66, 28, 104, 169, 224, 274, 318, 358, 395, 429, 459, 488, 514, 539, 566}
    };

    /** Likewise the multipliers of the scale, in units of 1/16. */
    private static final int[][] W = {
        {-22, 439},
        {-4, 30, 137, 582},
        {-12, 18, 41, 64, 112, 198, 355, 1122},
        {14, 14, 24, 39, 40, 41, 58, 100, 141, 179, 219, 280, 358, 440, 529, 696}
    };

    /** Likewise what the speed of adaptation follows. */
    private static final int[][] F = {
        {0, 7}, {0, 1, 2, 7}, {0, 0, 0, 1, 1, 1, 3, 7}, {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 6}
    };

    /** 0 in the floating point of 11 bits. */
    private static final int FLOAT_ZERO = 0x20;

    private final int bits;
    private final boolean isHighFirst;

    private int yu = 544;
    private int yl = 34816;
    private int dms;
    private int dml;
    private int ap;
    private boolean td;
    private boolean pk1;
    private boolean pk2;
    private int a1;
    private int a2;
    private final int[] b = new int[6];
    /** The last differences, as floating point: sign apart, exponent (4), mantissa (6). */
    private final int[] dq = new int[6];

    private final boolean[] dqNegative = new boolean[6];
    private int sr1 = FLOAT_ZERO;
    private int sr2 = FLOAT_ZERO;
    private boolean sr1Negative;
    private boolean sr2Negative;

    /**
     * @param bits of a sample, 2 to 5
     * @param isHighFirst whether the first sample is in the highest bits of the first octet
     */
    G726Decoder(int bits, boolean isHighFirst) {
        this.bits = bits;
        this.isHighFirst = isHighFirst;
        Arrays.fill(dq, FLOAT_ZERO);
    }

    @Override
    public int rate() {
        return 8000;
    }

    @Override
    public int decode(byte[] payload, int length, short[] to) {
        int samples = (int) Math.min((long) length * 8 / bits, to.length);
        int held = 0;
        int heldBits = 0;
        int at = 0;
        int mask = (1 << bits) - 1;
        for (int i = 0; i < samples; i++) {
            if (heldBits < bits) {
                int octet = payload[at++] & 0xff;
                held = isHighFirst ? held << 8 | octet : held | octet << heldBits;
                heldBits += 8;
            }
            heldBits -= bits;
            int code;
            if (isHighFirst) {
                code = held >> heldBits & mask;
            } else {
                code = held & mask;
                held >>= bits;
            }
            to[i] = sample(code);
        }
        return samples;
    }

    private short sample(int code) {
        boolean isNegative = code >> bits - 1 != 0;
        int magnitude = isNegative ? (1 << bits) - 1 - code : code;
        int zeros = 0;
        for (int i = 0; i < 6; i++) {
            zeros += product(b[i], dq[i], dqNegative[i]);
        }
        // sums are taken modulo 2^16, as the Recommendation has them: only codes that no encoder makes reach that far
        int sez = (short) zeros >> 1;
        int se = (short) (zeros + product(a1, sr1, sr1Negative) + product(a2, sr2, sr2Negative)) >> 1;
        int y = scale();
        int difference = difference(DQLN[bits - 2][magnitude], y);
        int signed = isNegative ? -difference : difference;
        int sr = (short) (se + signed);
        boolean isTransition = isTransition(difference);
        adaptPredictor(difference, isNegative, (short) (signed + sez), isTransition);
        adaptScale(y, W[bits - 2][magnitude], F[bits - 2][magnitude], isTransition);
        remember(difference, isNegative, sr);
        return Saturation.of(sr << 2);
    }

    /** FMULT: a coefficient times a signal in floating point, in floating point. */
    private static int product(int coefficient, int signal, boolean isNegative) {
        int an = coefficient >> 2;
        int magnitude = an >= 0 ? an : -an & 0x1fff;
        int exponent = exponent(magnitude);
        int mantissa = magnitude == 0 ? 32 : magnitude << 6 >> exponent;
        int sum = (signal >> 6) + exponent;
        int product = mantissa * (signal & 63) + 48 >> 4;
        int result = sum <= 26 ? product << 7 >> 26 - sum : product << 7 << sum - 26 & 0x7fff;
        return an < 0 != isNegative ? -result : result;
    }

    /** The bits that a magnitude needs. */
    private static int exponent(int magnitude) {
        return 32 - Integer.numberOfLeadingZeros(magnitude);
    }

    /** MIX: the scale, between the fast one and the slow one. */
    private int scale() {
        int slow = yl >> 6;
        int al = Math.min(ap >> 2, 64);
        int distance = yu - slow;
        return slow + (distance >= 0 ? distance * al >> 6 : -(-distance * al >> 6));
    }

    /** ADDA and ANTILOG: the magnitude of the quantized difference. */
    private static int difference(int dqln, int y) {
        int dql = dqln + (y >> 2);
        return dql < 0 ? 0 : (128 + (dql & 127)) << 7 >> 14 - (dql >> 7 & 15);
    }

    /** TRANS: whether the signal changes its kind within a modem's tones. */
    private boolean isTransition(int difference) {
        int exponent = yl >> 15;
        int threshold = exponent > 9 ? 31 << 10 : 32 + (yl >> 10 & 31) << exponent;
        return td && difference > threshold + (threshold >> 1) >> 1;
    }

    /** FUNCTW, FILTD, LIMB, FILTE; FUNCTF, FILTA, FILTB, SUBTC, FILTC, TRIGA. */
    private void adaptScale(int y, int w, int f, boolean isTransition) {
        yu = Math.clamp(y + ((w << 5) - y >> 5), 544, 5120);
        yl += yu + (-yl >> 6);
        dms += (f << 9) - dms >> 5;
        dml += (f << 11) - dml >> 7;
        boolean isFast = y < 1536 || td || Math.abs((dms << 2) - dml) >= dml >> 3;
        ap = isTransition ? 256 : ap + ((isFast ? 512 : 0) - ap >> 4);
    }

    /** UPA2, LIMC, UPA1, LIMD, UPB, TRIGB, TONE. */
    private void adaptPredictor(int difference, boolean isNegative, int dqsez, boolean isTransition) {
        boolean pk0 = dqsez < 0;
        if (isTransition) {
            a1 = 0;
            a2 = 0;
            Arrays.fill(b, 0);
            td = false;
        } else {
            boolean isOther1 = pk0 != pk1;
            int second = a2 - (a2 >> 7);
            int first = a1 - (a1 >> 8);
            if (dqsez != 0) {
                int f = isOther1 ? a1 : -a1;
                second += f < -8191 ? -256 : f > 8191 ? 255 : f >> 5;
                second += pk0 != pk2 ? -128 : 128;
                first += isOther1 ? -192 : 192;
            }
            a2 = Math.clamp(second, -12288, 12288);
            a1 = Math.clamp(first, a2 - 15360, 15360 - a2);
            for (int i = 0; i < 6; i++) {
                b[i] -= b[i] >> (bits == 5 ? 9 : 8);
                if (difference != 0) {
                    b[i] += isNegative == dqNegative[i] ? 128 : -128;
                }
            }
            td = a2 < -11776;
        }
        pk2 = pk1;
        pk1 = pk0;
    }

    /** FLOATA, FLOATB and the delay lines. */
    private void remember(int difference, boolean isNegative, int sr) {
        System.arraycopy(dq, 0, dq, 1, 5);
        System.arraycopy(dqNegative, 0, dqNegative, 1, 5);
        dq[0] = floating(difference);
        dqNegative[0] = isNegative;
        sr2 = sr1;
        sr2Negative = sr1Negative;
        sr1 = floating(Math.abs(sr) & 0x7fff);
        sr1Negative = sr < 0;
    }

    private static int floating(int magnitude) {
        int exponent = exponent(magnitude);
        return magnitude == 0 ? FLOAT_ZERO : (exponent << 6) + (magnitude << 6 >> exponent);
    }
}
