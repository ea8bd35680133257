package io.offhook.rtp.quality;

import io.offhook.rtp.Codec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a user can set about ratings.
 *
 * @param concealment whether the listener's decoder conceals lost packets; optional for G.711
 * @param listening the ears that the wideband values apply to
 * @param estimates whether codecs without agreed values get an estimate
 * @param codecs values of the user's own; the first that fits wins over the tables
 */
public record QualitySettings(boolean concealment, Listening listening, boolean estimates, List<CodecValues> codecs) {
    /** With concealment and estimates, by both ears. */
    public static final QualitySettings DEFAULT = new QualitySettings(true, Listening.DIOTIC, true, List.of());

    /** Copies the list. */
    public QualitySettings {
        codecs = List.copyOf(codecs);
    }

    /** How wideband speech is listened to. */
    public enum Listening {
        /** By one ear, as on a handset. */
        MONOTIC,
        /** By both ears. */
        DIOTIC
    }

    /**
     * Values of a codec that a user gives.
     *
     * @param codec the encoding name, without regard to case
     * @param scale that they are on
     * @param ie 0 or more, below 95, on the fullband scale below 132
     * @param bpl above 0; NaN if unknown
     * @param source where they come from
     */
    public record CodecValues(String codec, MosScale scale, double ie, double bpl, String source) {}

    /** The user's values of a codec; null if there are none. */
    @Nullable
    CodecImpairment find(Codec codec) {
        for (CodecValues values : codecs) {
            if (values.codec.equalsIgnoreCase(codec.encodingName())) {
                return new CodecImpairment(
                        values.ie,
                        values.bpl,
                        values.codec,
                        "given by configuration: " + values.source,
                        values.scale,
                        Basis.CONFIGURED);
            }
        }
        return null;
    }

    /** The same settings with or without concealment. */
    public QualitySettings withConcealment(boolean concealment) {
        return new QualitySettings(concealment, listening, estimates, codecs);
    }

    /** The same settings for other ears. */
    public QualitySettings withListening(Listening listening) {
        return new QualitySettings(concealment, listening, estimates, codecs);
    }

    /** The same settings with or without estimates. */
    public QualitySettings withEstimates(boolean estimates) {
        return new QualitySettings(concealment, listening, estimates, codecs);
    }
}
