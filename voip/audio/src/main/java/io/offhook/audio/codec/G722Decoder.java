package io.offhook.audio.codec;

/**
 * ITU-T G.722 at 64 kbit/s: two bands, each an adaptive differential code, that a quadrature mirror filter makes samples at
 * 16 kHz of. RTP has one mode, eight bits for two samples (RFC 3551, 4.5.2); if the sender puts data in the lowest bits
 * (modes 2 and 3), it is heard as faint noise, as the Recommendation has it for a decoder in mode 1.
 *
 * <pre>
 *   octet: IH (2 bits) | IL (6 bits)
 *   IL -> lower band, its four upper bits adapt quantizer and predictor, all six give the signal
 *   IH -> higher band
 * </pre>
 *
 * <p>Names are those of the signals in the Recommendation, clause 6.2.
 */
final class G722Decoder implements AudioDecoder {
    /** Inverse quantizer of 6 bits, table 17: magnitudes of the codes 4 to 31, in units of 2^-15 of the scale. */
    private static final int[] MAGNITUDES_6 = {
        24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192, 6576, 6000, 5456, 4944,
        4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728, 432, 136
    };

    private static final int[] QM6 = new int[64];
    private static final int[] QM4 = {
        0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0
    };
    private static final int[] QM2 = {-7408, -1616, 7408, 1616};

    /** Logarithmic scale factor multipliers by the upper four bits of IL. */
    private static final int[] WL = {-60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60};

    /** Likewise by IH. */
    private static final int[] WH = {798, -214, 798, -214};

    /** Powers of two from 2^11, in steps of 1/32. */
    private static final int[] ILB = new int[32];

    /** Half of the coefficients of the mirror filter; the other half is its reverse. */
    private static final int[] QMF = {3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11};

    static {
        // codes 0 to 3 stand for 136 below zero; they are what bit errors make, as no encoder sends them
        for (int i = 0; i < 4; i++) {
            QM6[i] = -136;
        }
        for (int i = 0; i < 28; i++) {
            QM6[4 + i] = -MAGNITUDES_6[i];
            QM6[32 + i] = MAGNITUDES_6[i];
        }
        QM6[60] = 432;
        QM6[61] = 136;
        QM6[62] = -432;
        QM6[63] = -136;
        for (int i = 0; i < 32; i++) {
            ILB[i] = (int) Math.round(2048 * Math.pow(2, i / 32.0));
        }
    }

    private final Band low = new Band(32, 18432, 8);
    private final Band high = new Band(8, 22528, 10);

    /** The last 24 sums and differences of the bands, as two delay lines. */
    private final int[] sums = new int[12];

    private final int[] differences = new int[12];

    @Override
    public int rate() {
        return 16_000;
    }

    @Override
    public int decode(byte[] payload, int length, short[] to) {
        int octets = Math.min(length, to.length / 2);
        for (int i = 0; i < octets; i++) {
            int octet = payload[i] & 0xff;
            int il = octet & 0x3f;
            int ih = octet >> 6;
            int rl = Math.clamp(low.s + (low.det * QM6[il] >> 15), -16384, 16383);
            low.adapt(low.det * QM4[il >> 2] >> 15, WL[il >> 2]);
            int dh = high.det * QM2[ih] >> 15;
            int rh = Math.clamp(high.s + dh, -16384, 16383);
            high.adapt(dh, WH[ih]);
            synthesize(rl, rh, to, 2 * i);
        }
        return 2 * octets;
    }

    private void synthesize(int rl, int rh, short[] to, int at) {
        System.arraycopy(sums, 1, sums, 0, 11);
        System.arraycopy(differences, 1, differences, 0, 11);
        sums[11] = rl + rh;
        differences[11] = rl - rh;
        int even = 0;
        int odd = 0;
        for (int i = 0; i < 12; i++) {
            even += differences[i] * QMF[11 - i];
            odd += sums[i] * QMF[i];
        }
        to[at] = Saturation.of(even >> 11);
        to[at + 1] = Saturation.of(odd >> 11);
    }

    /** The adaptive predictor and quantizer scale of one band. */
    private static final class Band {
        private final int mostScale;
        private final int scaleShift;
        private int nb;
        private int det;
        private int s;
        private int sz;
        private int r1;
        private int r2;
        private int p1;
        private int p2;
        private int a1;
        private int a2;
        private final int[] b = new int[6];
        private final int[] d = new int[6];

        Band(int det, int mostScale, int scaleShift) {
            this.det = det;
            this.mostScale = mostScale;
            this.scaleShift = scaleShift;
        }

        /**
         * Adapts to a quantized difference.
         *
         * @param dq the difference
         * @param w by which its code changes the logarithm of the scale
         */
        void adapt(int dq, int w) {
            nb = Math.clamp((nb * 127 >> 7) + w, 0, mostScale);
            int shift = scaleShift - (nb >> 11);
            int mantissa = ILB[nb >> 6 & 31];
            det = (shift < 0 ? mantissa << -shift : mantissa >> shift) << 2;
            int r0 = Saturation.of(s + dq);
            int p0 = Saturation.of(sz + dq);
            poles(p0);
            zeros(dq);
            r2 = r1;
            r1 = r0;
            p2 = p1;
            p1 = p0;
            predict();
        }

        /** UPPOL2 and UPPOL1: the pole section follows the signs of the partly reconstructed signal. */
        private void poles(int p0) {
            boolean isSame1 = (p0 ^ p1) >= 0;
            boolean isSame2 = (p0 ^ p2) >= 0;
            int slope = Saturation.of(4 * a1);
            slope = isSame1 ? Math.min(-slope, 32767) : slope;
            int second = (slope >> 7) + (isSame2 ? 128 : -128) + (a2 * 32512 >> 15);
            a2 = Math.clamp(second, -12288, 12288);
            int limit = 15360 - a2;
            int first = Saturation.of((isSame1 ? 192 : -192) + (a1 * 32640 >> 15));
            a1 = Math.clamp(first, -limit, limit);
        }

        /** UPZERO and the delay line of the zero section. */
        private void zeros(int dq) {
            int step = dq == 0 ? 0 : 128;
            for (int i = 0; i < 6; i++) {
                b[i] = Saturation.of(((dq ^ d[i]) >= 0 ? step : -step) + (b[i] * 32640 >> 15));
            }
            System.arraycopy(d, 0, d, 1, 5);
            d[0] = dq;
        }

        /** FILTEP, FILTEZ and PREDIC. */
        private void predict() {
            int poles = Saturation.of((a1 * Saturation.of(2 * r1) >> 15) + (a2 * Saturation.of(2 * r2) >> 15));
            int zeros = 0;
            for (int i = 5; i >= 0; i--) {
                zeros += b[i] * Saturation.of(2 * d[i]) >> 15;
            }
            sz = Saturation.of(zeros);
            s = Saturation.of(poles + sz);
        }
    }
}
