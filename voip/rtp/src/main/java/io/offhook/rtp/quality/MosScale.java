package io.offhook.rtp.quality;

import java.util.Locale;

/**
 * The scale of a MOS (ITU-T P.800.1): an undisturbed narrowband call and an undisturbed fullband call both get 4.4 or so,
 * each on its own. Values of two scales cannot be compared.
 */
public enum MosScale {
    /** MOS-CQEN, by ITU-T G.107. */
    NARROWBAND("nb", 93.2, 1, 95),
    /** MOS-CQEW, by ITU-T G.107.1; its Ie,eff keeps the 95 of G.107. */
    WIDEBAND("wb", 129, 1.29, 95),
    /** MOS-CQEF, by ITU-T G.107.2. */
    FULLBAND("fb", 148, 1.48, 132);

    private static final double MAX_MOS = 4.5;

    /** The delay above which talkers begin to interrupt each other, in milliseconds. */
    private static final double DELAY_KNEE_MS = 177.3;

    /** The delay up to which the wider scales see no impairment, in milliseconds. */
    private static final double FREE_DELAY_MS = 100;

    private final String abbreviation;
    private final double bestR;
    private final double stretch;
    private final double worstIe;

    MosScale(String abbreviation, double bestR, double stretch, double worstIe) {
        this.abbreviation = abbreviation;
        this.bestR = bestR;
        this.stretch = stretch;
        this.worstIe = worstIe;
    }

    /** The name in JSON: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The abbreviation in tables: nb, wb, fb. */
    public String abbreviation() {
        return abbreviation;
    }

    /** R of a call without any impairment. */
    public double bestR() {
        return bestR;
    }

    /**
     * The impairment by delay, Id.
     *
     * @param delayMs the one-way delay from mouth to ear, 0 or more
     */
    public double delayImpairment(double delayMs) {
        return this == NARROWBAND
                ? 0.024 * delayMs + 0.11 * Math.max(0, delayMs - DELAY_KNEE_MS)
                : stretch * interactionImpairment(delayMs);
    }

    /** Idd of ITU-T G.107: what too long a delay does to a conversation without echo. */
    private static double interactionImpairment(double delayMs) {
        if (delayMs <= FREE_DELAY_MS) {
            return 0;
        }
        double x = Math.log(delayMs / FREE_DELAY_MS) / Math.log(2);
        return 25 * (Math.pow(1 + Math.pow(x, 6), 1.0 / 6) - 3 * Math.pow(1 + Math.pow(x / 3, 6), 1.0 / 6) + 2);
    }

    /**
     * The impairment by codec and loss, Ie,eff.
     *
     * @param ie Ie, the equipment impairment factor of the codec on this scale
     * @param bpl Bpl, the robustness of the codec against loss, above 0; NaN if unknown, which gives NaN with loss
     * @param lossPercent Ppl, 0 to 100
     * @param burstRatio BurstR, 1 or more
     */
    public double effectiveImpairment(double ie, double bpl, double lossPercent, double burstRatio) {
        return lossPercent == 0 ? ie : ie + (worstIe - ie) * lossPercent / (lossPercent / burstRatio + bpl);
    }

    /** The mean opinion score for an R factor of this scale, 1 to 4.5. */
    public double mos(double rFactor) {
        double r = rFactor / stretch;
        if (r <= 0) {
            return 1;
        }
        if (r >= 100) {
            return MAX_MOS;
        }
        // the cubic falls below 1 for small R
        return Math.max(1, 1 + 0.035 * r + 7e-6 * r * (r - 60) * (100 - r));
    }
}
