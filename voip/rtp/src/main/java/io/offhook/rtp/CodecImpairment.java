package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/**
 * The impairment by a codec, with and without loss: Ie and Bpl of ITU-T G.113, Appendix I.
 *
 * @param ie the equipment impairment factor without loss
 * @param bpl the packet-loss robustness factor
 * @param coding the coding that the values apply to
 * @param note a qualification of the values; empty if there is none
 */
public record CodecImpairment(double ie, double bpl, String coding, String note) {
    /** The source of the values. */
    public static final String SOURCE = "ITU-T G.113 Appendix I";

    private static final CodecImpairment G711_PLAIN =
            new CodecImpairment(0, 4.3, "G.711 without packet loss concealment", "");
    private static final CodecImpairment G711_CONCEALED =
            new CodecImpairment(0, 25.1, "G.711 with packet loss concealment", "");
    private static final CodecImpairment G729 = new CodecImpairment(10, 19, "G.729", "");
    private static final CodecImpairment G729A_VAD = new CodecImpairment(11, 19, "G.729A + VAD", "");
    private static final CodecImpairment G723 = new CodecImpairment(15, 16.1, "G.723.1 + VAD, 6.3 kbit/s", "");
    private static final CodecImpairment GSM = new CodecImpairment(20, 10, "GSM 06.10", "");
    private static final CodecImpairment G722 = new CodecImpairment(
            5,
            7.1,
            "G.722, 64 kbit/s",
            "a wideband codec, rated on the narrow-band scale, which does not show its gain");

    /**
     * The values for a codec.
     *
     * @param codec the codec
     * @param concealment whether the decoder conceals lost packets; the values of all codecs except G.711 include that
     * @param silenceSuppression whether nothing is sent during pauses; G.729 has separate values for this
     * @return null if no values are agreed; {@link #whyNone(Codec)} returns the reason
     */
    public static @Nullable CodecImpairment find(Codec codec, boolean concealment, boolean silenceSuppression) {
        return switch (codec.key()) {
            case "PCMU", "PCMA" -> concealment ? G711_CONCEALED : G711_PLAIN;
            case "G729" -> silenceSuppression ? G729A_VAD : G729;
            case "G723" -> G723;
            case "GSM" -> GSM;
            case "G722" -> G722;
            default -> null;
        };
    }

    /** Why a codec has no values, as a clause without capital and full stop. */
    public static String whyNone(Codec codec) {
        if (codec.isTelephoneEvent() || codec.isComfortNoise()) {
            return "it carries no speech";
        }
        if (codec.clockRate() == 90_000) {
            return "it is no speech codec";
        }
        return switch (codec.key()) {
            case "OPUS", "SPEEX", "ILBC", "ISAC", "SILK" -> "no Ie and Bpl are agreed for " + codec.encodingName();
            case "AMR", "AMR-WB", "EVS" ->
                "Ie depends on the mode of each frame, which " + codec.encodingName() + " changes at will";
            default -> "Ie and Bpl of " + codec.encodingName() + " are not in the table";
        };
    }
}
