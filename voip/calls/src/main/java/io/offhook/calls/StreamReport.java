package io.offhook.calls;

import io.offhook.calls.relay.StreamPoint;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.PlayoutSummary;
import io.offhook.rtp.RtcpParticipant;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.WiresharkStream;
import io.offhook.rtp.playout.JitterBuffer;
import io.offhook.rtp.quality.Quality;
import io.offhook.rtp.quality.Rating;
import io.offhook.rtp.tones.AudioKeys;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An RTP stream, of a call or of none.
 *
 * @param ssrc the synchronization source, 0 to 2^32 - 1
 * @param callId the Call-ID of the dialog that it is of; null if it belongs to no call
 * @param from the side that sends it; null if it belongs to no call
 * @param source its sender, as captured
 * @param destination its receiver
 * @param codec the encoding name of most of its packets, by SDP or RFC 3551; null if unknown
 * @param clockRate in Hz; 0 if unknown
 * @param payloadType of most of its packets
 * @param mediaType "audio", "video"...; null if unknown
 * @param tagOctets octets of the authentication tag behind each payload, if it is SRTP according to its SDP: 4 or more; -1
 *     if it is not
 * @param firstFrame the number of its first packet, 1-based
 * @param statistics of its packets
 * @param wireshark Wireshark's figures; null unless they were asked for
 * @param ratings how it sounded
 * @param farEnd what the receiver reported by RTCP; null if it reported nothing
 * @param sender what the sender reported by RTCP; null if it reported nothing
 * @param audioKeys the keys in its audio; null unless somebody listened and could understand it
 */
public record StreamReport(
        long ssrc,
        @Nullable String callId,
        @Nullable Side from,
        Endpoint source,
        Endpoint destination,
        @Nullable String codec,
        int clockRate,
        int payloadType,
        @Nullable String mediaType,
        int tagOctets,
        long firstFrame,
        RtpStream statistics,
        @Nullable WiresharkStream wireshark,
        Ratings ratings,
        @Nullable FarEnd farEnd,
        @Nullable RtcpParticipant sender,
        @Nullable AudioKeys audioKeys) {
    private static final int VIDEO_CLOCK = 90_000;

    /**
     * How a stream sounded.
     *
     * @param network by the E-model with the loss of the network alone, or why there is no rating
     * @param playout what the jitter buffer would have played; null without a buffer or a known clock
     * @param played by the E-model as it was played; null without {@code playout}
     * @param overTime how the quality changed; null if no interval has a MOS
     * @param intervals empty unless they were asked for
     */
    public record Ratings(
            Rating network,
            @Nullable PlayoutSummary playout,
            @Nullable Rating played,
            @Nullable QualityOverTime overTime,
            List<RatedInterval> intervals) {}

    /** {@link Ratings#network()}. */
    public Rating rating() {
        return ratings.network;
    }

    /** {@link Ratings#playout()}. */
    public @Nullable PlayoutSummary playout() {
        return ratings.playout;
    }

    /** {@link Ratings#played()}. */
    public @Nullable Rating playoutRating() {
        return ratings.played;
    }

    /** {@link Ratings#overTime()}. */
    public @Nullable QualityOverTime overTime() {
        return ratings.overTime;
    }

    /** {@link Ratings#intervals()}. */
    public List<RatedInterval> intervals() {
        return ratings.intervals;
    }

    /** Why there is no {@link #playout()}, as a clause without capital and full stop; null if there is one. */
    public @Nullable String playoutMissing() {
        if (ratings.playout != null) {
            return null;
        }
        if (statistics.buffer().kind() == JitterBuffer.Kind.OFF) {
            return "no jitter buffer was asked for";
        }
        return clockRate == VIDEO_CLOCK ? "it is no audio" : "its clock is not known";
    }

    /** The rating that a person is shown: as the stream was played, or without a buffer that of the network. */
    public Rating shownRating() {
        return ratings.played == null ? ratings.network : ratings.played;
    }

    /** R, MOS and their inputs of the rating shown; null if there are none, in which case it has the reason. */
    public @Nullable Quality quality() {
        return shownRating() instanceof Quality quality ? quality : null;
    }

    /**
     * The keys pressed, in order; empty if there were none. Null if the payload is encrypted: the SDP then shows which
     * packets are key presses, but not which keys.
     */
    public @Nullable String digits() {
        return isEncrypted() ? null : statistics.digits();
    }

    /** The keys in its audio, in order; empty if there were none, null without {@link #audioKeys()}. */
    public @Nullable String audioDigits() {
        return audioKeys == null ? null : audioKeys.digits();
    }

    /** The same report with the keys that were heard in its audio. */
    public StreamReport withAudioKeys(AudioKeys heard) {
        return new StreamReport(
                ssrc,
                callId,
                from,
                source,
                destination,
                codec,
                clockRate,
                payloadType,
                mediaType,
                tagOctets,
                firstFrame,
                statistics,
                wireshark,
                ratings,
                farEnd,
                sender,
                heard);
    }

    /**
     * The stream as it was captured here, to be compared with what was captured elsewhere.
     *
     * @param isTrusted whether the capture lost nothing meanwhile
     * @param log of its packets; or null
     */
    StreamPoint point(boolean isTrusted, @Nullable PacketLog log) {
        boolean isReceived =
                farEnd != null && farEnd.cumulativeLost() >= 0 && farEnd.cumulativeLost() * 2 < statistics.lost();
        return new StreamPoint(
                source, destination, ssrc, from == Side.CALLER, statistics, isTrusted && !isReceived, log);
    }

    /** The packets that the sender reported to have sent from the first to the last report between two times; -1 if unknown. */
    long sentPackets(long fromNs, long untilNs) {
        return sender == null ? -1 : sender.sentPackets().growth(fromNs, untilNs);
    }

    /** What was wrong with it by its own figures: loss, late packets, low MOS, jitter; without a side. */
    public List<Problem> problems(ProblemLimits limits) {
        return new StreamProblems(limits).of(this);
    }

    /** Whether it is SRTP according to its SDP. */
    public boolean isEncrypted() {
        return tagOctets >= 0;
    }

    /** Whether it has payloads at all: of SRTP, one no longer than its tag is empty (keep-alives of a muted endpoint). */
    boolean hasPayload() {
        return statistics.payloadOctets() > Math.max(0, tagOctets) * statistics.packets();
    }

    /** Whether it is audio, as far as is known: it has no other media type. */
    public boolean isAudio() {
        return mediaType == null || mediaType.equals("audio");
    }
}
