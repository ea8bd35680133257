package io.offhook.rtp.quality;

import java.util.Locale;

/**
 * R and MOS of the E-model (ITU-T G.107), with all their inputs.
 *
 * @param rFactor R; may be negative
 * @param mos 1 to 4.5, on the scale of the impairment
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

    /** The scale of R and MOS. */
    public MosScale scale() {
        return impairment.scale();
    }

    /** Whether the values of the codec are not agreed. */
    public boolean isEstimate() {
        return impairment.isEstimate();
    }

    /** For example "MOS 3.92 nb (PCMU, loss 5.0 %, BurstR 1.00, delay 100 ms assumed, Bpl 25.1)". */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "MOS %s%.2f %s (%s, loss %.1f %%, BurstR %.2f, delay %.0f ms %s, Bpl %s%s)",
                isEstimate() ? "~" : "",
                mos,
                scale().abbreviation(),
                codec,
                lossPercent,
                burstRatio,
                delayMs,
                delayMeasured ? "measured" : "assumed",
                Double.isNaN(impairment.bpl()) ? "unknown" : String.format(Locale.ROOT, "%.1f", impairment.bpl()),
                trusted ? "" : ", untrusted: the capture lost packets");
    }
}
