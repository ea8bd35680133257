package io.offhook.rtp.quality;

import io.offhook.rtp.Codec;
import io.offhook.rtp.SpeechModes;
import org.jspecify.annotations.Nullable;

/**
 * The impairment by a codec, with and without loss: Ie and Bpl of ITU-T G.113, or what stands for them.
 *
 * @param ie the equipment impairment factor without loss
 * @param bpl the packet-loss robustness factor; NaN if unknown, so that there is no rating with loss
 * @param coding the coding that the values apply to
 * @param note a qualification of the values; empty if there is none
 * @param scale that they are on
 * @param basis where they come from
 */
public record CodecImpairment(double ie, double bpl, String coding, String note, MosScale scale, Basis basis) {
    private static final double NONE = Double.NaN;

    private static final CodecImpairment G711_PLAIN = itu(0, 4.3, "G.711 without packet loss concealment");
    private static final CodecImpairment G711_CONCEALED = itu(0, 25.1, "G.711 with packet loss concealment");
    private static final CodecImpairment G729 = itu(10, 19, "G.729");
    private static final CodecImpairment G729A_VAD = itu(11, 19, "G.729A + VAD");
    private static final CodecImpairment G723 = itu(15, 16.1, "G.723.1 + VAD, 6.3 kbit/s");
    private static final CodecImpairment GSM = itu(20, 10, "GSM 06.10");
    private static final CodecImpairment GSM_EFR = itu(5, 10, "GSM-EFR");
    private static final CodecImpairment GSM_HR = itu(23, NONE, "GSM half rate");
    private static final CodecImpairment G728 = itu(7, NONE, "G.728, 16 kbit/s");
    private static final CodecImpairment G726_40 = itu(2, NONE, "G.726, 40 kbit/s");
    private static final CodecImpairment G726_32 = itu(7, NONE, "G.726, 32 kbit/s");
    private static final CodecImpairment G726_24 = itu(25, NONE, "G.726, 24 kbit/s");
    private static final CodecImpairment G726_16 = itu(50, NONE, "G.726, 16 kbit/s");
    private static final CodecImpairment G722 = new CodecImpairment(
            5,
            7.1,
            "G.722, 64 kbit/s",
            "a wideband codec, rated on the narrow-band scale, which does not show its gain",
            MosScale.NARROWBAND,
            Basis.ITU);
    /** By the rates of {@link CodecRates}; at 64 kbit/s the narrowband values stay. */
    private static final CodecImpairment[] G722_UNVERIFIED = {
        G722, unverified(20, "G.722, 56 kbit/s"), unverified(31, "G.722, 48 kbit/s")
    };

    /** ITU-T G.113, appendix IV; by the rates of {@link CodecRates}. */
    private static final CodecImpairment[] G7221 = {
        new CodecImpairment(13, NONE, "G.722.1, 32 kbit/s", "", MosScale.WIDEBAND, Basis.ITU),
        new CodecImpairment(19, NONE, "G.722.1, 24 kbit/s", "", MosScale.WIDEBAND, Basis.ITU)
    };

    private static final CodecImpairment OPUS = new CodecImpairment(
            10.2, 4.3, "Opus", "no values are agreed; those of rtpengine", MosScale.FULLBAND, Basis.PUBLISHED);

    private static CodecImpairment itu(double ie, double bpl, String coding) {
        return new CodecImpairment(ie, bpl, coding, "", MosScale.NARROWBAND, Basis.ITU);
    }

    private static CodecImpairment unverified(double ie, String coding) {
        return new CodecImpairment(
                ie, NONE, coding, "often quoted, but not verified (U)", MosScale.WIDEBAND, Basis.UNVERIFIED);
    }

    /** Of the user's configuration. */
    private static CodecImpairment given(QualitySettings.CodecValues values) {
        String note = "given by configuration: " + values.source();
        return new CodecImpairment(values.ie(), values.bpl(), values.codec(), note, values.scale(), Basis.CONFIGURED);
    }

    /** Whether a rating by these values is an estimate. */
    public boolean isEstimate() {
        return basis.isEstimate();
    }

    /**
     * The values for a codec.
     *
     * @param codec the codec
     * @param modes of its packets; null if unknown
     * @param silenceSuppression whether nothing is sent during pauses; G.729 has separate values for this
     * @param settings of the user
     * @return null if there are none; {@link #whyNone(Codec, QualitySettings)} returns the reason
     */
    public static @Nullable CodecImpairment find(
            Codec codec, @Nullable SpeechModes modes, boolean silenceSuppression, QualitySettings settings) {
        CodecImpairment byMode = null;
        if (modes != null && ModeValues.areKnown(modes)) {
            byMode = ModeValues.find(codec, modes, settings);
        } else {
            QualitySettings.CodecValues own = settings.find(codec, CodecRates.stated(codec));
            if (own != null) {
                return given(own);
            }
        }
        CodecImpairment found = byMode != null ? byMode : ofName(codec, silenceSuppression, settings);
        return found != null && found.isEstimate() && !settings.estimates() ? null : found;
    }

    /** The values for codecs that have one mode, or for which one stands for all. */
    private static @Nullable CodecImpairment ofName(Codec codec, boolean silenceSuppression, QualitySettings settings) {
        return switch (codec.key()) {
            case "PCMU", "PCMA" -> settings.concealment() ? G711_CONCEALED : G711_PLAIN;
            case "G729", "G729A" -> silenceSuppression ? G729A_VAD : G729;
            case "G729B", "G729AB" -> G729A_VAD;
            case "G723" -> G723;
            case "GSM" -> GSM;
            case "GSM-EFR" -> GSM_EFR;
            case "GSM-HR", "GSM-HR-08" -> GSM_HR;
            case "G722" -> g722(codec, settings);
            case "G7221" -> at(G7221, codec);
            case "G728" -> G728;
            case "G726-40", "AAL2-G726-40" -> G726_40;
            case "G726-32", "AAL2-G726-32", "G721" -> G726_32;
            case "G726-24", "AAL2-G726-24" -> G726_24;
            case "G726-16", "AAL2-G726-16" -> G726_16;
            case "OPUS" -> OPUS;
            default -> null;
        };
    }

    private static CodecImpairment g722(Codec codec, QualitySettings settings) {
        CodecImpairment quoted = settings.unverified() && settings.estimates() ? at(G722_UNVERIFIED, codec) : null;
        return quoted == null ? G722 : quoted;
    }

    /** The values at the rate that SDP states; null if there are none at that rate. */
    private static @Nullable CodecImpairment at(CodecImpairment[] byRate, Codec codec) {
        int index = CodecRates.stated(codec);
        return index >= 0 && index < byRate.length ? byRate[index] : null;
    }

    /** Why a codec has no values, as a clause without capital and full stop. */
    public static String whyNone(Codec codec, QualitySettings settings) {
        if (codec.isTelephoneEvent() || codec.isComfortNoise()) {
            return "it carries no speech";
        }
        if (codec.clockRate() == 90_000) {
            return "it is no speech codec";
        }
        return switch (codec.key()) {
            case "OPUS", "SPEEX", "ILBC", "ISAC", "SILK" -> "no Ie and Bpl are agreed for " + codec.encodingName();
            case "AMR", "AMR-WB", "EVS" -> "no Ie is known for the modes of its frames";
            case "G7221" -> "no Ie is known for the bit rate that SDP states";
            default -> "Ie and Bpl of " + codec.encodingName() + " are not in the table";
        };
    }
}
