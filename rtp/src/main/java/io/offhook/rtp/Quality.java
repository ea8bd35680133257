package io.offhook.rtp;

import java.util.Locale;

/**
 * R and MOS of the E-model (ITU-T G.107), and everything that went into them.
 *
 * @param rFactor R; below 0 where it is hopeless
 * @param mos 1 to 4.5, on the narrow-band scale
 * @param codec encoding name
 * @param lossPercent Ppl, of distinct packets
 * @param burstRatio BurstR, 1 for losses at random
 * @param delayMs Ta, one way
 * @param delayMeasured whether the delay is this call's, or a default
 * @param delayImpairment Id
 * @param impairment Ie and Bpl of the codec, and where they are from
 * @param effectiveImpairment Ie,eff
 * @param trusted false where the capture itself lost packets: the listener may have heard better
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

    /** "MOS 3.92 (PCMU, loss 5.0 %, BurstR 1.00, delay 100 ms assumed, Bpl 25.1)". */
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
