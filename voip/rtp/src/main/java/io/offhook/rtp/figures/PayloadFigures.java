package io.offhook.rtp.figures;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A payload type of a stream.
 *
 * @param payloadType 0 to 127
 * @param use its packets
 * @param kind how they count
 * @param codec null if unknown
 * @param tagOctets of the authentication tag behind each payload; 0 if there is none
 * @param modes packets by mode of the codec; empty if it has one, or is unknown
 */
public record PayloadFigures(
        int payloadType, Use use, Kind kind, @Nullable CodecFigures codec, int tagOctets, List<Integer> modes) {
    /** Copies the list. */
    public PayloadFigures {
        modes = List.copyOf(modes);
    }

    /** How the statistics treat its packets. */
    public enum Kind {
        /** Not timed, as its clock is unknown. */
        UNKNOWN,
        /** Media with a known clock. */
        TIMED,
        /** Key presses and other events (RFC 4733). */
        EVENT
    }

    /**
     * Packets of a payload type.
     *
     * @param packets all of them; 0 if only its codec was set
     * @param open those since the open interval began
     * @param lastNs when the last one arrived, nanoseconds since the epoch
     */
    public record Use(int packets, int open, long lastNs) {}

    /**
     * A codec, as {@code io.offhook.rtp.Codec} has it.
     *
     * @param encodingName as written in SDP
     * @param clockRate in Hz; 0 if unknown
     * @param channels 1 or more
     * @param parameters of the format; "" if there are none
     */
    public record CodecFigures(String encodingName, int clockRate, int channels, String parameters) {}
}
