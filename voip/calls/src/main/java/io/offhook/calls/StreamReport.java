package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.Quality;
import io.offhook.rtp.Rating;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.WiresharkStream;
import org.jspecify.annotations.Nullable;

/**
 * One RTP stream of a call, or of none.
 *
 * @param ssrc the synchronization source, 0 to 2^32 - 1
 * @param from the side that sends it; null where it belongs to no call
 * @param source where it comes from, as captured
 * @param destination where it goes to
 * @param codec the encoding name of most of its packets, as SDP or RFC 3551 has it; null where unknown
 * @param clockRate Hz; 0 where unknown
 * @param payloadType of most of its packets
 * @param mediaType "audio", "video"...; null where unknown
 * @param isEncrypted SRTP by its SDP
 * @param firstFrame the packet it begins with, 1-based
 * @param statistics what was counted
 * @param wireshark Wireshark's figures; null unless asked for
 * @param rating by the E-model, or why there is none
 * @param farEnd what the receiver reported by RTCP; null where it reported nothing
 */
public record StreamReport(
        long ssrc,
        @Nullable Side from,
        Endpoint source,
        Endpoint destination,
        @Nullable String codec,
        int clockRate,
        int payloadType,
        @Nullable String mediaType,
        boolean isEncrypted,
        long firstFrame,
        RtpStream statistics,
        @Nullable WiresharkStream wireshark,
        Rating rating,
        @Nullable FarEnd farEnd) {

    /** R, MOS and what went into them; null where there is none, then {@link #rating()} says why. */
    public @Nullable Quality quality() {
        return rating instanceof Quality quality ? quality : null;
    }

    /**
     * The keys pressed, in order; empty without any. Null where the payload is encrypted: then only the SDP says that
     * packets are key presses, not they which keys.
     */
    public @Nullable String digits() {
        return isEncrypted ? null : statistics.digits();
    }

    /** Audio, as far as known: what has no other type. */
    public boolean isAudio() {
        return mediaType == null || mediaType.equals("audio");
    }
}
