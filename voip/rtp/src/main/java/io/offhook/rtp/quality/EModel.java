package io.offhook.rtp.quality;

import io.offhook.rtp.Codec;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.SpeechModes;
import org.jspecify.annotations.Nullable;

/**
 * The E-model of the ITU as used for VoIP: all parameters at their defaults except delay, codec and loss. {@link MosScale}
 * has what differs between narrowband (G.107), wideband (G.107.1) and fullband (G.107.2).
 *
 * <pre>
 * R      = bestR - Id - Ie,eff
 * Ie,eff = Ie + (worst Ie - Ie) Ppl / (Ppl / BurstR + Bpl)
 * MOS    = 1 + 0.035 R + 7e-6 R (R - 60) (100 - R), R brought to the narrowband scale
 * </pre>
 *
 * <p>A rating is meaningful only together with its inputs, so {@link #rate} returns a {@link Quality} that includes all
 * of them, or the reason why there is no rating.
 */
public final class EModel {
    /** The one-way delay that is assumed if none was measured, in milliseconds: an ordinary path and jitter buffer. */
    public static final double DEFAULT_DELAY_MS = 100;

    private EModel() {}

    /**
     * Rates what a listener heard.
     *
     * @param codec the codec of the media
     * @param modes of its packets; null if unknown
     * @param lossPercent the loss among distinct packets, 0 to 100
     * @param burstRatio as {@link RtpStream#burstRatio()}; values below 1 count as 1
     * @param conditions what the packets do not show
     */
    public static Rating rate(
            Codec codec, @Nullable SpeechModes modes, double lossPercent, double burstRatio, Conditions conditions) {
        QualitySettings settings = conditions.settings();
        CodecImpairment impairment = CodecImpairment.find(codec, modes, conditions.silenceSuppression(), settings);
        if (impairment == null) {
            return new Rating.Unrated(codec.encodingName(), CodecImpairment.whyNone(codec, settings));
        }
        return rateBy(codec, impairment, lossPercent, burstRatio, conditions);
    }

    /**
     * Rates by values that were found before: for many ratings of one codec.
     *
     * @param codec the codec of the media
     * @param impairment its values
     * @param lossPercent the loss among distinct packets, 0 to 100
     * @param burstRatio as {@link RtpStream#burstRatio()}; values below 1 count as 1
     * @param conditions what the packets do not show
     */
    public static Rating rateBy(
            Codec codec, CodecImpairment impairment, double lossPercent, double burstRatio, Conditions conditions) {
        double loss = Math.clamp(lossPercent, 0, 100);
        double burst = Math.max(1, burstRatio);
        if (loss > 0 && Double.isNaN(impairment.bpl())) {
            return new Rating.Unrated(codec.encodingName(), "no Bpl is known for " + impairment.coding());
        }
        MosScale scale = impairment.scale();
        double id = scale.delayImpairment(conditions.delayMs());
        double effective = scale.effectiveImpairment(impairment.ie(), impairment.bpl(), loss, burst);
        double rFactor = scale.bestR() - id - effective;
        return new Quality(
                rFactor,
                scale.mos(rFactor),
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

    /** Rates a codec of one mode, or one whose modes are not known. */
    public static Rating rate(Codec codec, double lossPercent, double burstRatio, Conditions conditions) {
        return rate(codec, null, lossPercent, burstRatio, conditions);
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
        return rate(
                main.codec(),
                stream.modesOf(main.payloadType()),
                stream.lostPercent(),
                stream.burstRatio(),
                conditions);
    }

    /**
     * The conditions that packets do not show.
     *
     * @param delayMs the one-way delay from mouth to ear, 0 or more
     * @param delayMeasured whether the delay was measured in this call (RTCP) instead of assumed
     * @param silenceSuppression whether the talker's codec sends nothing during pauses
     * @param captureComplete false if the capture itself lost packets, which then look lost to the listener as well
     * @param settings of the user
     */
    public record Conditions(
            double delayMs,
            boolean delayMeasured,
            boolean silenceSuppression,
            boolean captureComplete,
            QualitySettings settings) {
        /** {@link #DEFAULT_DELAY_MS}, without silence suppression, with a complete capture and default settings. */
        public static final Conditions DEFAULT =
                new Conditions(DEFAULT_DELAY_MS, false, false, true, QualitySettings.DEFAULT);

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

        /** The same conditions with another delay that is assumed. */
        public Conditions withDelay(double delayMs) {
            return new Conditions(delayMs, false, silenceSuppression, captureComplete, settings);
        }

        /**
         * The same conditions with a measured delay: half of the round trip that RTCP reports, plus the jitter buffer.
         */
        public Conditions withMeasuredDelay(double delayMs) {
            return new Conditions(delayMs, true, silenceSuppression, captureComplete, settings);
        }

        /** The same conditions with or without silence suppression. */
        public Conditions withSilenceSuppression(boolean silenceSuppression) {
            return new Conditions(delayMs, delayMeasured, silenceSuppression, captureComplete, settings);
        }

        /** The same conditions with a complete or an incomplete capture. */
        public Conditions withCaptureComplete(boolean captureComplete) {
            return new Conditions(delayMs, delayMeasured, silenceSuppression, captureComplete, settings);
        }

        /** The same conditions with other settings. */
        public Conditions withSettings(QualitySettings settings) {
            return new Conditions(delayMs, delayMeasured, silenceSuppression, captureComplete, settings);
        }
    }
}
