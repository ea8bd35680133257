package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.rtp.Quality;
import io.offhook.rtp.Rating;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.WiresharkStream;
import org.jspecify.annotations.Nullable;

/**
 * An RTP stream, of a call or of none.
 *
 * @param ssrc the synchronization source, 0 to 2^32 - 1
 * @param from the side that sends it; null if it belongs to no call
 * @param source its sender, as captured
 * @param destination its receiver
 * @param codec the encoding name of most of its packets, by SDP or RFC 3551; null if unknown
 * @param clockRate in Hz; 0 if unknown
 * @param payloadType of most of its packets
 * @param mediaType "audio", "video"...; null if unknown
 * @param isEncrypted SRTP according to its SDP
 * @param firstFrame the number of its first packet, 1-based
 * @param statistics of its packets
 * @param wireshark Wireshark's figures; null unless they were asked for
 * @param rating by the E-model, or why there is none
 * @param farEnd what the receiver reported by RTCP; null if it reported nothing
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

    /** R, MOS and their inputs; null if there are none, in which case {@link #rating()} has the reason. */
    public @Nullable Quality quality() {
        return rating instanceof Quality quality ? quality : null;
    }

    /**
     * The keys pressed, in order; empty if there were none. Null if the payload is encrypted: the SDP then shows which
     * packets are key presses, but not which keys.
     */
    public @Nullable String digits() {
        return isEncrypted ? null : statistics.digits();
    }

    /** Whether it is audio, as far as is known: it has no other media type. */
    public boolean isAudio() {
        return mediaType == null || mediaType.equals("audio");
    }
}
