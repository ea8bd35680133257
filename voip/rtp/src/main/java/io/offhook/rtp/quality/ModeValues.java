package io.offhook.rtp.quality;

import io.offhook.rtp.Codec;
import io.offhook.rtp.SpeechModes;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Ie and Bpl of codecs whose values depend on the mode of each frame: means over the packets, none if one of the modes has
 * none. Nothing is interpolated.
 */
final class ModeValues {
    private static final double NONE = Double.NaN;

    /** AMR, by mode: those of GSM-EFR, the same coder as 12.2, and IS-641 at 7.4 kbit/s; G.113 has no row for AMR. */
    private static final double[] AMR_IE = {NONE, NONE, NONE, NONE, 10, NONE, NONE, 5};

    private static final double[] AMR_BPL = {NONE, NONE, NONE, NONE, NONE, NONE, NONE, 10};

    /** AMR-WB, 6.6 to 23.85 kbit/s (ITU-T G.113, tables IV.1, IV.3 and IV.4); 23.85 really is worse than 23.05. */
    private static final double[] AMR_WB_MONOTIC = {41, 26, 13, 10, 7, 5, 3, 1, 8};

    private static final double[] AMR_WB_DIOTIC = {56, 41, 20, NONE, 17, NONE, NONE, 8, 10};
    private static final double[] AMR_WB_BPL = {NONE, NONE, 4.3, NONE, NONE, NONE, NONE, 4.6, 4.9};

    /** EVS-SWB, 2.8 to 128 kbit/s (ITU-T G.113, appendix V). */
    private static final double[] EVS_IE = {NONE, NONE, NONE, 22.7, 17.1, 10.8, 7.2, 8.7, 10.2, NONE, NONE, NONE};

    private static final double[] EVS_BPL = {NONE, NONE, NONE, 13, 11.7, 10.3, 11.4, 9.3, 9.6, NONE, NONE, NONE};

    /** G.723.1, 6.3 and 5.3 kbit/s; the Bpl of the latter is assumed to be that of the former. */
    private static final double[] G723_IE = {15, 19};

    private static final double[] G723_BPL = {16.1, 16.1};

    private ModeValues() {}

    /** The values for a codec; null if there are none. */
    static @Nullable CodecImpairment find(Codec codec, @Nullable SpeechModes modes, QualitySettings settings) {
        if (modes == null) {
            return null;
        }
        return switch (codec.key()) {
            case "AMR" -> mean(modes, AMR_IE, AMR_BPL, "AMR", MosScale.NARROWBAND, Basis.ASSUMED);
            case "AMR-WB" -> {
                boolean isDiotic = settings.listening() == QualitySettings.Listening.DIOTIC;
                yield mean(
                        modes,
                        isDiotic ? AMR_WB_DIOTIC : AMR_WB_MONOTIC,
                        isDiotic ? AMR_WB_BPL : new double[AMR_WB_BPL.length],
                        "AMR-WB, " + settings.listening().name().toLowerCase(Locale.ROOT),
                        MosScale.WIDEBAND,
                        Basis.ITU);
            }
            case "EVS" ->
                isSuperWideband(codec) ? mean(modes, EVS_IE, EVS_BPL, "EVS-SWB", MosScale.FULLBAND, Basis.ITU) : null;
            case "G723" -> mean(modes, G723_IE, G723_BPL, "G.723.1 + VAD", MosScale.NARROWBAND, Basis.ITU);
            default -> null;
        };
    }

    /** Whether the session allows super-wideband, which the size of a frame does not show. */
    private static boolean isSuperWideband(Codec codec) {
        return codec.parameters().toLowerCase(Locale.ROOT).contains("swb");
    }

    private static @Nullable CodecImpairment mean(
            SpeechModes modes, double[] ie, double[] bpl, String coding, MosScale scale, Basis basis) {
        double ieSum = 0;
        double bplSum = 0;
        long packets = 0;
        StringBuilder names = new StringBuilder();
        for (int mode = 0; mode < SpeechModes.LIMIT; mode++) {
            int count = modes.packets(mode);
            if (count > 0) {
                ieSum += mode < ie.length ? count * ie[mode] : NONE;
                bplSum += mode < bpl.length && bpl[mode] > 0 ? count * bpl[mode] : NONE;
                packets += count;
                names.append(names.isEmpty() ? ", mode " : ", ").append(mode);
            }
        }
        return packets == 0 || Double.isNaN(ieSum)
                ? null
                : new CodecImpairment(ieSum / packets, bplSum / packets, coding + names, "", scale, basis);
    }
}
