package io.offhook.rtp;

/**
 * The E-model of ITU-T G.107 as it is used for VoIP: everything at its default but delay, codec and loss.
 *
 * <pre>
 * R      = 93.2 - Id - Ie,eff
 * Id     = 0.024 Ta + 0.11 (Ta - 177.3) H(Ta - 177.3)
 * Ie,eff = Ie + (95 - Ie) Ppl / (Ppl / BurstR + Bpl)
 * MOS    = 1 + 0.035 R + 7e-6 R (R - 60) (100 - R)
 * </pre>
 *
 * <p>A number without what went into it is worth nothing, so {@link #rate} gives a {@link Quality} with all of it, or
 * says why there is none.
 */
public final class EModel {
    /** R of a narrow-band call without any impairment. */
    public static final double BEST_R = 93.2;

    /** The one-way delay that stands in where none was measured: an ordinary path and jitter buffer. */
    public static final double DEFAULT_DELAY_MS = 100;

    /** The delay from which on talkers begin to get into each other's way. */
    private static final double DELAY_KNEE_MS = 177.3;

    private static final double WORST_IE = 95;
    private static final double MAX_MOS = 4.5;

    private EModel() {}

    /**
     * The impairment by delay, Id.
     *
     * @param delayMs mouth to ear, one way, 0 or more
     */
    public static double delayImpairment(double delayMs) {
        return 0.024 * delayMs + 0.11 * Math.max(0, delayMs - DELAY_KNEE_MS);
    }

    /**
     * The impairment by codec and loss, Ie,eff.
     *
     * @param lossPercent Ppl, 0 to 100
     * @param burstRatio BurstR, 1 or more
     * @param bpl how well the codec stands losses, above 0
     */
    public static double effectiveEquipmentImpairment(double ie, double bpl, double lossPercent, double burstRatio) {
        return ie + (WORST_IE - ie) * lossPercent / (lossPercent / burstRatio + bpl);
    }

    /** The opinion that goes with R: 1 to 4.5. */
    public static double mos(double rFactor) {
        if (rFactor <= 0) {
            return 1;
        }
        if (rFactor >= 100) {
            return MAX_MOS;
        }
        // the cubic dips below 1 for small R
        return Math.max(1, 1 + 0.035 * rFactor + 7e-6 * rFactor * (rFactor - 60) * (100 - rFactor));
    }

    /**
     * Rates what a listener heard.
     *
     * @param codec of the media
     * @param lossPercent of distinct packets, 0 to 100
     * @param burstRatio see {@link RtpStream#burstRatio()}; what is below 1 counts as 1
     */
    public static Rating rate(Codec codec, double lossPercent, double burstRatio, Conditions conditions) {
        CodecImpairment impairment =
                CodecImpairment.find(codec, conditions.concealment(), conditions.silenceSuppression());
        if (impairment == null) {
            return new Rating.Unrated(codec.encodingName(), CodecImpairment.whyNone(codec));
        }
        double loss = Math.clamp(lossPercent, 0, 100);
        double burst = Math.max(1, burstRatio);
        double id = delayImpairment(conditions.delayMs());
        double effective = effectiveEquipmentImpairment(impairment.ie(), impairment.bpl(), loss, burst);
        double rFactor = BEST_R - id - effective;
        return new Quality(
                rFactor,
                mos(rFactor),
                codec.encodingName(),
                loss,
                burst,
                conditions.delayMs(),
                conditions.delayMeasured(),
                id,
                impairment,
                effective,
                conditions.captureComplete());
    }

    /** Rates a stream by its losses and the codec of most of its packets. */
    public static Rating rate(RtpStream stream, Conditions conditions) {
        PayloadCount main = stream.mainPayload();
        if (main == null || main.codec() == null) {
            return new Rating.Unrated(
                    main == null ? "" : "payload type " + main.payloadType(), "nothing says which codec it is");
        }
        return rate(main.codec(), stream.lostPercent(), stream.burstRatio(), conditions);
    }

    /**
     * What the packets do not tell.
     *
     * @param delayMs one way, mouth to ear, 0 or more
     * @param delayMeasured whether the delay comes from this call (RTCP), or is a default
     * @param concealment whether the listener's decoder fills in for lost packets; of G.711 it is an option
     * @param silenceSuppression whether the talker's codec sends nothing in pauses
     * @param captureComplete false where the capture itself lost packets, which then look lost to the listener too
     */
    public record Conditions(
            double delayMs,
            boolean delayMeasured,
            boolean concealment,
            boolean silenceSuppression,
            boolean captureComplete) {
        /** {@link #DEFAULT_DELAY_MS}, with concealment, nothing suppressed, a complete capture. */
        public static final Conditions DEFAULT = new Conditions(DEFAULT_DELAY_MS, false, true, false, true);

        /** Checks the ranges. */
        public Conditions {
            if (!(delayMs >= 0)) {
                throw new IllegalArgumentException("delayMs " + delayMs + " is not 0 or more");
            }
        }

        /** With a delay of this call: half of the round trip that RTCP tells, and the jitter buffer. */
        public Conditions withMeasuredDelay(double delayMs) {
            return new Conditions(delayMs, true, concealment, silenceSuppression, captureComplete);
        }

        /** The same conditions but for this one. */
        public Conditions withConcealment(boolean concealment) {
            return new Conditions(delayMs, delayMeasured, concealment, silenceSuppression, captureComplete);
        }

        /** The same conditions but for this one. */
        public Conditions withSilenceSuppression(boolean silenceSuppression) {
            return new Conditions(delayMs, delayMeasured, concealment, silenceSuppression, captureComplete);
        }

        /** The same conditions but for this one. */
        public Conditions withCaptureComplete(boolean captureComplete) {
            return new Conditions(delayMs, delayMeasured, concealment, silenceSuppression, captureComplete);
        }
    }
}
