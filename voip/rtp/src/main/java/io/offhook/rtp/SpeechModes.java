package io.offhook.rtp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How many packets had each mode of a codec that has several: AMR and AMR-WB by the table of contents of the payload
 * (RFC 4867, 4.3 and 4.4), G.723.1 by the two lowest bits of the frame (RFC 3551, 4.5.3), EVS by the size of a compact
 * frame (3GPP TS 26.445, A.2.1). Frames that carry no speech do not count; of several frames in a packet the first counts.
 */
public final class SpeechModes {
    /** The number of modes that can be told apart. */
    public static final int LIMIT = 16;

    /** Octets of a compact frame of EVS primary, by mode: 2.8 to 128 kbit/s. */
    private static final int[] EVS_OCTETS = {7, 18, 20, 24, 33, 41, 61, 80, 120, 160, 240, 320};

    private enum Kind {
        AMR,
        AMR_WB,
        G723,
        EVS
    }

    private final Kind kind;
    private final boolean isOctetAligned;
    private final int[] packets = new int[LIMIT];

    private SpeechModes(Kind kind, boolean isOctetAligned) {
        this.kind = kind;
        this.isOctetAligned = isOctetAligned;
    }

    /** Counters for a codec; null if it has one mode, or none that is known. */
    static @Nullable SpeechModes of(Codec codec) {
        Kind kind = switch (codec.key()) {
            case "AMR" -> Kind.AMR;
            case "AMR-WB" -> Kind.AMR_WB;
            case "G723" -> Kind.G723;
            case "EVS" -> Kind.EVS;
            default -> null;
        };
        if (kind == null) {
            return null;
        }
        String parameters = codec.parameters().replace(" ", "").toLowerCase(Locale.ROOT);
        return new SpeechModes(kind, parameters.contains("octet-align=1"));
    }

    /** The packets by mode. */
    List<Integer> figures() {
        List<Integer> counts = new ArrayList<>(LIMIT);
        for (int count : packets) {
            counts.add(count);
        }
        return counts;
    }

    /** Sets the packets by mode, as {@link #figures} has them. */
    void set(List<Integer> figures) {
        for (int mode = 0; mode < Math.min(LIMIT, figures.size()); mode++) {
            packets[mode] = figures.get(mode);
        }
    }

    /**
     * Counts a packet.
     *
     * @param length octets of payload
     * @param head the first eight of them, the first in the highest bits
     */
    void add(int length, long head) {
        int mode = switch (kind) {
            case AMR -> speech(length, head, 7);
            case AMR_WB -> speech(length, head, 8);
            case G723 -> length >= 20 ? (int) (head >>> 56) & 3 : -1;
            case EVS -> evs(length);
        };
        if (mode >= 0) {
            packets[mode]++;
        }
    }

    private int speech(int length, long head, int highest) {
        int type = isOctetAligned ? (int) (head >>> 51) & 15 : (int) (head >>> 55) & 15;
        return length > 7 && type <= highest ? type : -1; // the others are silence, lost or no data
    }

    private static int evs(int length) {
        for (int mode = 0; mode < EVS_OCTETS.length; mode++) {
            if (EVS_OCTETS[mode] == length) {
                return mode;
            }
        }
        return -1;
    }

    /**
     * The packets with a mode: the frame type of AMR and AMR-WB; of G.723.1 0 for 6.3 and 1 for 5.3 kbit/s; of EVS 0 to 11
     * for 2.8, 7.2, 8, 9.6, 13.2, 16.4, 24.4, 32, 48, 64, 96 and 128 kbit/s.
     *
     * @param mode 0 to 15
     */
    public int packets(int mode) {
        return packets[mode];
    }
}
