package io.offhook.rtp.quality;

import io.offhook.rtp.Codec;
import io.offhook.rtp.SpeechModes;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
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

    private static final double[] UNKNOWN = {};

    private ModeValues() {}

    /** Whether packets were counted by their modes. */
    static boolean areKnown(SpeechModes modes) {
        for (int mode = 0; mode < SpeechModes.LIMIT; mode++) {
            if (modes.packets(mode) > 0) {
                return true;
            }
        }
        return false;
    }

    /** The values for a codec at the modes of its packets; null if there are none. */
    static @Nullable CodecImpairment find(Codec codec, SpeechModes modes, QualitySettings settings) {
        Table table = table(codec, settings);
        return table == null ? null : mean(codec, modes, table, settings);
    }

    /** What the tables have of a codec, by mode. */
    private static final class Table {
        private final double[] ie;
        private final double[] bpl;
        private final String coding;
        private final MosScale scale;
        private final Basis basis;

        private Table(double[] ie, double[] bpl, String coding, MosScale scale, Basis basis) {
            this.ie = ie;
            this.bpl = bpl;
            this.coding = coding;
            this.scale = scale;
            this.basis = basis;
        }

        private double ie(int mode) {
            return mode < ie.length ? ie[mode] : NONE;
        }

        private double bpl(int mode) {
            return mode < bpl.length ? bpl[mode] : NONE;
        }
    }

    private static @Nullable Table table(Codec codec, QualitySettings settings) {
        return switch (codec.key()) {
            case "AMR" -> new Table(AMR_IE, AMR_BPL, "AMR", MosScale.NARROWBAND, Basis.ASSUMED);
            case "AMR-WB" -> {
                boolean isDiotic = settings.listening() == QualitySettings.Listening.DIOTIC;
                yield new Table(
                        isDiotic ? AMR_WB_DIOTIC : AMR_WB_MONOTIC,
                        isDiotic ? AMR_WB_BPL : UNKNOWN,
                        "AMR-WB, " + settings.listening().name().toLowerCase(Locale.ROOT),
                        MosScale.WIDEBAND,
                        Basis.ITU);
            }
            case "EVS" ->
                isSuperWideband(codec)
                        ? new Table(EVS_IE, EVS_BPL, "EVS-SWB", MosScale.FULLBAND, Basis.ITU)
                        : new Table(UNKNOWN, UNKNOWN, "EVS", MosScale.FULLBAND, Basis.ITU);
            case "G723" -> new Table(G723_IE, G723_BPL, "G.723.1 + VAD", MosScale.NARROWBAND, Basis.ITU);
            default -> null;
        };
    }

    /** Whether the session allows super-wideband, which the size of a frame does not show. */
    private static boolean isSuperWideband(Codec codec) {
        return codec.parameters().toLowerCase(Locale.ROOT).contains("swb");
    }

    private static @Nullable CodecImpairment mean(
            Codec codec, SpeechModes modes, Table table, QualitySettings settings) {
        Mean mean = new Mean();
        for (int mode = 0; mode < SpeechModes.LIMIT; mode++) {
            int packets = modes.packets(mode);
            if (packets > 0) {
                mean.add(mode, packets, table, settings.find(codec, mode));
            }
        }
        return mean.result(table);
    }

    /** The mean over the packets of a stream; none if its modes are rated on several scales. */
    private static final class Mean {
        private double ie;
        private double bpl;
        private long packets;
        private @Nullable MosScale scale;
        private boolean isOfOneScale = true;
        private boolean isOfTable;
        private final StringJoiner modes = new StringJoiner(", ", ", mode ", "");
        private final Set<String> sources = new LinkedHashSet<>();

        private void add(int mode, int count, Table table, QualitySettings.@Nullable CodecValues own) {
            MosScale of = own == null ? table.scale : own.scale();
            isOfOneScale &= scale == null || scale == of;
            scale = of;
            ie += count * (own == null ? table.ie(mode) : own.ie());
            bpl += count * (own == null ? table.bpl(mode) : own.bpl());
            packets += count;
            modes.add(Integer.toString(mode));
            if (own == null) {
                isOfTable = true;
            } else {
                sources.add(own.source());
            }
        }

        private @Nullable CodecImpairment result(Table table) {
            if (scale == null || !isOfOneScale || Double.isNaN(ie)) {
                return null;
            }
            // one mode by an assumption makes an estimate of all
            boolean isGiven = !isOfTable || !sources.isEmpty() && !table.basis.isEstimate();
            return new CodecImpairment(
                    ie / packets,
                    bpl / packets,
                    table.coding + modes,
                    sources.isEmpty() ? "" : "given by configuration: " + String.join("; ", sources),
                    scale,
                    isGiven ? Basis.CONFIGURED : table.basis);
        }
    }
}
