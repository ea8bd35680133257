package io.offhook.rtp.quality;

import io.offhook.rtp.Codec;
import java.util.Locale;

/**
 * The bit rates of a codec that a receiver can tell apart: by the mode of each packet ({@link io.offhook.rtp.SpeechModes}),
 * or by what SDP says of the whole stream. Values of a codec may hold at one rate only.
 */
public final class CodecRates {
    private static final int NONE = -1;

    /** Rates that SDP or a user writes may be rounded. */
    private static final double TOLERANCE_KBPS = 0.05;

    private static final CodecRates UNKNOWN = new CodecRates(false);

    /** RFC 4867: AMR, by frame type. */
    private static final CodecRates AMR = new CodecRates(true, 4.75, 5.15, 5.9, 6.7, 7.4, 7.95, 10.2, 12.2);

    private static final CodecRates AMR_WB =
            new CodecRates(true, 6.6, 8.85, 12.65, 14.25, 15.85, 18.25, 19.85, 23.05, 23.85);

    /** 3GPP TS 26.445, A.2.1: the primary modes of EVS. */
    private static final CodecRates EVS = new CodecRates(true, 2.8, 7.2, 8, 9.6, 13.2, 16.4, 24.4, 32, 48, 64, 96, 128);

    private static final CodecRates G723 = new CodecRates(true, 6.3, 5.3);
    private static final CodecRates G722 = new CodecRates(false, 64, 56, 48);
    private static final CodecRates G7221 = new CodecRates(false, 32, 24, 48);
    private static final CodecRates ILBC = new CodecRates(false, 13.33, 15.2);

    private final boolean hasModes;
    private final double[] kbps;

    private CodecRates(boolean hasModes, double... kbps) {
        this.hasModes = hasModes;
        this.kbps = kbps;
    }

    /**
     * The rates of a codec.
     *
     * @param encodingName as in SDP, without regard to case
     */
    public static CodecRates of(String encodingName) {
        return switch (encodingName.toUpperCase(Locale.ROOT)) {
            case "AMR" -> AMR;
            case "AMR-WB" -> AMR_WB;
            case "EVS" -> EVS;
            case "G723" -> G723;
            case "G722" -> G722;
            case "G7221" -> G7221;
            case "ILBC" -> ILBC;
            default -> UNKNOWN;
        };
    }

    /** Whether each packet says which mode it has. */
    public boolean hasModes() {
        return hasModes;
    }

    /** How many rates the codec has; 0 if its rate makes no difference, or cannot be told. */
    public int count() {
        return kbps.length;
    }

    /**
     * A rate, in kbit/s.
     *
     * @param index 0 up to {@link #count()}; the mode, if {@link #hasModes()}
     */
    public double kbps(int index) {
        return kbps[index];
    }

    /** Whether the codec has this rate, in kbit/s. */
    public boolean has(double rate) {
        return indexOf(rate) != NONE;
    }

    /** The place of a rate, in kbit/s; -1 if the codec does not have it. */
    int indexOf(double rate) {
        for (int i = 0; i < kbps.length; i++) {
            if (Math.abs(kbps[i] - rate) < TOLERANCE_KBPS) {
                return i;
            }
        }
        return NONE;
    }

    /**
     * The place of the rate that SDP states for a codec whose packets have no modes, or its default; -1 if there is none.
     * G.722.1 has {@code bitrate} in bit/s (RFC 5577), as G.722 of some makers, in kbit/s with others; iLBC the length of a
     * frame in {@code mode} (RFC 3952).
     */
    static int stated(Codec codec) {
        CodecRates rates = of(codec.encodingName());
        if (rates == G722) {
            return rates.bitrate(codec, 0);
        }
        if (rates == G7221) {
            return rates.bitrate(codec, NONE);
        }
        if (rates == ILBC) {
            return parameter(codec, "mode") == 20 ? 1 : 0;
        }
        return NONE;
    }

    private int bitrate(Codec codec, int unstated) {
        double rate = parameter(codec, "bitrate");
        return Double.isNaN(rate) ? unstated : indexOf(rate >= 1000 ? rate / 1000 : rate);
    }

    /** A number of {@code a=fmtp}; NaN if it is not there. */
    private static double parameter(Codec codec, String name) {
        for (String parameter : codec.parameters().split(";", -1)) {
            int equals = parameter.indexOf('=');
            if (equals > 0 && parameter.substring(0, equals).strip().equalsIgnoreCase(name)) {
                String value = parameter.substring(equals + 1).strip();
                boolean isNumber =
                        !value.isEmpty() && value.length() <= 9 && value.chars().allMatch(c -> c >= '0' && c <= '9');
                return isNumber ? Integer.parseInt(value) : Double.NaN;
            }
        }
        return Double.NaN;
    }

    /** For example "6.3, 5.3". */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (double rate : kbps) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(rate == Math.rint(rate) ? Long.toString((long) rate) : Double.toString(rate));
        }
        return text.toString();
    }
}
