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
 * @param unverified whether values count that are often quoted, but not verified
 * @param codecs values of the user's own; the first that fits wins over the tables
 */
public record QualitySettings(
        boolean concealment, Listening listening, boolean estimates, boolean unverified, List<CodecValues> codecs) {
    /** With concealment and estimates, by both ears; without unverified values. */
    public static final QualitySettings DEFAULT = new QualitySettings(true, Listening.DIOTIC, true, false, List.of());

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
     * @param rate the bit rate that they hold at
     * @param scale that they are on
     * @param ie 0 or more, below 95, on the fullband scale below 132
     * @param bpl above 0; NaN if unknown
     * @param source where they come from
     */
    public record CodecValues(String codec, Rate rate, MosScale scale, double ie, double bpl, String source) {
        /** Values that hold at every rate. */
        public CodecValues(String codec, MosScale scale, double ie, double bpl, String source) {
            this(codec, Rate.ANY, scale, ie, bpl, source);
        }

        private boolean fits(String name, int index) {
            return codec.equalsIgnoreCase(name)
                    && (rate.equals(Rate.ANY) || index >= 0 && index == rate.index(CodecRates.of(codec)));
        }
    }

    /**
     * One of the rates of a codec, by its mode or in kbit/s.
     *
     * @param mode as {@link io.offhook.rtp.SpeechModes#packets} has it; -1 if it is given in kbit/s, or does not matter
     * @param kbps in kbit/s; NaN if it is given by mode, or does not matter
     */
    public record Rate(int mode, double kbps) {
        /** Whatever the rate is. */
        public static final Rate ANY = new Rate(-1, Double.NaN);

        private int index(CodecRates rates) {
            return mode >= 0 ? mode : rates.indexOf(kbps);
        }
    }

    /**
     * The user's values of a codec at a rate.
     *
     * @param index of the rate in {@link CodecRates}; -1 if unknown: then values that hold at one rate do not fit
     * @return null if there are none
     */
    @Nullable
    CodecValues find(Codec codec, int index) {
        for (CodecValues values : codecs) {
            if (values.fits(codec.encodingName(), index)) {
                return values;
            }
        }
        return null;
    }

    /** The same settings with or without concealment. */
    public QualitySettings withConcealment(boolean concealment) {
        return new QualitySettings(concealment, listening, estimates, unverified, codecs);
    }

    /** The same settings for other ears. */
    public QualitySettings withListening(Listening listening) {
        return new QualitySettings(concealment, listening, estimates, unverified, codecs);
    }

    /** The same settings with or without estimates. */
    public QualitySettings withEstimates(boolean estimates) {
        return new QualitySettings(concealment, listening, estimates, unverified, codecs);
    }

    /** The same settings with or without values that are not verified. */
    public QualitySettings withUnverified(boolean unverified) {
        return new QualitySettings(concealment, listening, estimates, unverified, codecs);
    }

    /** The same settings with other values of the user's own. */
    public QualitySettings withCodecs(List<CodecValues> codecs) {
        return new QualitySettings(concealment, listening, estimates, unverified, codecs);
    }
}
