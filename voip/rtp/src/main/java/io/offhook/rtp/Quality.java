package io.offhook.rtp;

import java.util.Locale;

/**
 * R and MOS of the E-model (ITU-T G.107), with all their inputs.
 *
 * @param rFactor R; may be negative
 * @param mos 1 to 4.5, on the narrow-band scale
 * @param codec the encoding name
 * @param lossPercent Ppl, of distinct packets, 0 to 100
 * @param burstRatio BurstR, 1 for random loss
 * @param delayMs Ta, the one-way delay
 * @param delayMeasured whether the delay was measured in this call instead of assumed
 * @param delayImpairment Id
 * @param impairment Ie and Bpl of the codec, with their source
 * @param effectiveImpairment Ie,eff
 * @param trusted false if the capture itself lost packets, so that the listener may have heard better
 */
public record Quality(
        double rFactor,
        double mos,
        String codec,
        double lossPercent,
        double burstRatio,
        double delayMs,
        boolean delayMeasured,
        double delayImpairment,
        CodecImpairment impairment,
        double effectiveImpairment,
        boolean trusted)
        implements Rating {

    /** For example "MOS 3.92 (PCMU, loss 5.0 %, BurstR 1.00, delay 100 ms assumed, Bpl 25.1)". */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "MOS %.2f (%s, loss %.1f %%, BurstR %.2f, delay %.0f ms %s, Bpl %.1f%s)",
                mos,
                codec,
                lossPercent,
                burstRatio,
                delayMs,
                delayMeasured ? "measured" : "assumed",
                impairment.bpl(),
                trusted ? "" : ", untrusted: the capture lost packets");
    }
}
