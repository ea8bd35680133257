package io.offhook.rtp;

/**
 * The E-model of ITU-T G.107 as used for VoIP: all parameters at their defaults except delay, codec and loss.
 *
 * <pre>
 * R      = 93.2 - Id - Ie,eff
 * Id     = 0.024 Ta + 0.11 (Ta - 177.3) H(Ta - 177.3)
 * Ie,eff = Ie + (95 - Ie) Ppl / (Ppl / BurstR + Bpl)
 * MOS    = 1 + 0.035 R + 7e-6 R (R - 60) (100 - R)
 * </pre>
 *
 * <p>A rating is meaningful only together with its inputs, so {@link #rate} returns a {@link Quality} that includes all
 * of them, or the reason why there is no rating.
 */
public final class EModel {
    /** R of a narrow-band call without any impairment. */
    public static final double BEST_R = 93.2;

    /** The one-way delay that is assumed if none was measured, in milliseconds: an ordinary path and jitter buffer. */
    public static final double DEFAULT_DELAY_MS = 100;

    /** The delay above which talkers begin to interrupt each other, in milliseconds. */
    private static final double DELAY_KNEE_MS = 177.3;

    private static final double WORST_IE = 95;
    private static final double MAX_MOS = 4.5;

    private EModel() {}

    /**
     * The impairment by delay, Id.
     *
     * @param delayMs the one-way delay from mouth to ear, 0 or more
     */
    public static double delayImpairment(double delayMs) {
        return 0.024 * delayMs + 0.11 * Math.max(0, delayMs - DELAY_KNEE_MS);
    }

    /**
     * The impairment by codec and loss, Ie,eff.
     *
     * @param ie Ie, the equipment impairment factor of the codec
     * @param bpl Bpl, the robustness of the codec against loss, above 0
     * @param lossPercent Ppl, 0 to 100
     * @param burstRatio BurstR, 1 or more
     */
    public static double effectiveEquipmentImpairment(double ie, double bpl, double lossPercent, double burstRatio) {
        return ie + (WORST_IE - ie) * lossPercent / (lossPercent / burstRatio + bpl);
    }

    /** The mean opinion score for an R factor, 1 to 4.5. */
    public static double mos(double rFactor) {
        if (rFactor <= 0) {
            return 1;
        }
        if (rFactor >= 100) {
            return MAX_MOS;
        }
        // the cubic falls below 1 for small R
        return Math.max(1, 1 + 0.035 * rFactor + 7e-6 * rFactor * (rFactor - 60) * (100 - rFactor));
    }

    /**
     * Rates what a listener heard.
     *
     * @param codec the codec of the media
     * @param lossPercent the loss among distinct packets, 0 to 100
     * @param burstRatio as {@link RtpStream#burstRatio()}; values below 1 count as 1
     * @param conditions what the packets do not show
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

    /**
     * Rates a stream by its losses and the codec of most of its packets.
     *
     * @param stream the stream
     * @param conditions what the packets do not show
     */
    public static Rating rate(RtpStream stream, Conditions conditions) {
        PayloadCount main = stream.mainPayload();
        if (main == null || main.codec() == null) {
            return new Rating.Unrated(
                    main == null ? "" : "payload type " + main.payloadType(), "nothing says which codec it is");
        }
        return rate(main.codec(), stream.lostPercent(), stream.burstRatio(), conditions);
    }

    /**
     * The conditions that packets do not show.
     *
     * @param delayMs the one-way delay from mouth to ear, 0 or more
     * @param delayMeasured whether the delay was measured in this call (RTCP) instead of assumed
     * @param concealment whether the listener's decoder conceals lost packets; optional for G.711
     * @param silenceSuppression whether the talker's codec sends nothing during pauses
     * @param captureComplete false if the capture itself lost packets, which then look lost to the listener as well
     */
    public record Conditions(
            double delayMs,
            boolean delayMeasured,
            boolean concealment,
            boolean silenceSuppression,
            boolean captureComplete) {
        /** {@link #DEFAULT_DELAY_MS}, with concealment, without silence suppression, with a complete capture. */
        public static final Conditions DEFAULT = new Conditions(DEFAULT_DELAY_MS, false, true, false, true);

        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if the delay is negative or not a number
         */
        public Conditions {
            if (!(delayMs >= 0)) {
                throw new IllegalArgumentException("delayMs " + delayMs + " is not a delay of 0 ms or more");
            }
        }

        /**
         * The same conditions with a measured delay: half of the round trip that RTCP reports, plus the jitter buffer.
         */
        public Conditions withMeasuredDelay(double delayMs) {
            return new Conditions(delayMs, true, concealment, silenceSuppression, captureComplete);
        }

        /** The same conditions with or without concealment. */
        public Conditions withConcealment(boolean concealment) {
            return new Conditions(delayMs, delayMeasured, concealment, silenceSuppression, captureComplete);
        }

        /** The same conditions with or without silence suppression. */
        public Conditions withSilenceSuppression(boolean silenceSuppression) {
            return new Conditions(delayMs, delayMeasured, concealment, silenceSuppression, captureComplete);
        }

        /** The same conditions with a complete or an incomplete capture. */
        public Conditions withCaptureComplete(boolean captureComplete) {
            return new Conditions(delayMs, delayMeasured, concealment, silenceSuppression, captureComplete);
        }
    }
}
