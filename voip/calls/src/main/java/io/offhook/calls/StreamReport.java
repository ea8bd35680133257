package io.offhook.calls;

import io.offhook.calls.relay.StreamPoint;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.PlayoutSummary;
import io.offhook.rtp.RtcpParticipant;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.TelephoneEvents;
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
 * @param keys key presses that are read after the analysis
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
        Keys keys) {
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

    /**
     * Key presses that are read by a second look at the packets.
     *
     * @param audioKeys the keys in its audio; null unless somebody listened and could understand it
     * @param openedEvents the telephone-events inside its SRTP; null unless somebody opened them
     */
    public record Keys(
            @Nullable AudioKeys audioKeys, @Nullable TelephoneEvents openedEvents) {
        /** Nobody looked. */
        public static final Keys NONE = new Keys(null, null);
    }

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

    /** Its telephone-events; null if it has none, or if its payload is encrypted and nobody opened them. */
    public @Nullable TelephoneEvents telephoneEvents() {
        return isEncrypted() ? keys.openedEvents : statistics.telephoneEvents();
    }

    /**
     * The keys pressed, in order; empty if there were none. Null if the payload is encrypted and nobody opened it: the SDP then
     * shows which packets are key presses, but not which keys.
     */
    public @Nullable String digits() {
        TelephoneEvents opened = keys.openedEvents;
        return !isEncrypted() ? statistics.digits() : opened == null ? null : opened.digits();
    }

    /** Whether it has telephone-events that are encrypted, and that nobody opened. */
    public boolean hasClosedEvents() {
        return isEncrypted()
                && keys.openedEvents == null
                && statistics.payloads().stream()
                        .map(PayloadCount::codec)
                        .anyMatch(payload -> payload != null && payload.isTelephoneEvent());
    }

    /** {@link Keys#audioKeys()}. */
    public @Nullable AudioKeys audioKeys() {
        return keys.audioKeys;
    }

    /** The keys in its audio, in order; empty if there were none, null without {@link #audioKeys()}. */
    public @Nullable String audioDigits() {
        return keys.audioKeys == null ? null : keys.audioKeys.digits();
    }

    /** The same report with key presses that were read since; what was not read stays as it was. */
    public StreamReport withKeys(Keys read) {
        return with(
                firstFrame,
                new Keys(
                        read.audioKeys == null ? keys.audioKeys : read.audioKeys,
                        read.openedEvents == null ? keys.openedEvents : read.openedEvents));
    }

    /** The same report with 0 for the number of its first frame, for a file in which that has another one. */
    StreamReport withoutFrames() {
        return with(0, keys);
    }

    private StreamReport with(long otherFirstFrame, Keys otherKeys) {
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
                otherFirstFrame,
                statistics,
                wireshark,
                ratings,
                farEnd,
                sender,
                otherKeys);
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
