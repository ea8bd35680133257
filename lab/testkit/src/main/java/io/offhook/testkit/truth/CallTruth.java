package io.offhook.testkit.truth;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one call, counted while its packets were written. Times are those of the packets that complete the
 * messages, null where there was none.
 *
 * @param callId SIP Call-ID
 * @param from user part of From
 * @param to user part of To
 * @param outcome at the end of the capture
 * @param finalStatus of the INVITE; null if none was captured
 * @param transport of the first message: "UDP", "TCP" or "WS"
 * @param ipv6 whether it runs over IPv6
 * @param invitedAtNs the first INVITE
 * @param ringingAtNs the first 18x
 * @param answeredAtNs the first 2xx to the INVITE
 * @param endedAtNs the BYE, else the final response; null for a call that goes on
 * @param hungUpBy who sent the first BYE; null for a call that was never answered or goes on
 * @param messages captured SIP messages with the Call-ID: retransmissions, mirrored copies, and each hop's
 * @param retransmissions those among them that an end sent again; their mirrored copies are not counted here
 * @param mirroredMessages those among them that only the tap copied
 * @param hops how many of its signalling hops were captured
 * @param codec SDP name of the audio codec in use when answered; null where never answered
 * @param earlyMedia whether RTP was captured between INVITE and answer
 * @param silentParty the one of whom no audio was captured though it ought to have been; null for none or both
 * @param holds intervals on hold
 * @param encryptedMedia whether the SDP asks for SRTP
 * @param video whether the SDP has video
 * @param fax whether it changed to T.38
 * @param reachedTags distinct To tags in responses to the INVITE: 2 for a forked call
 * @param icmpErrors port-unreachables captured that quote its packets, copies included
 * @param problems what anyone who looks at it must see
 */
public record CallTruth(
        String callId,
        String from,
        String to,
        PlannedOutcome outcome,
        @Nullable Integer finalStatus,
        String transport,
        boolean ipv6,
        @Nullable Long invitedAtNs,
        @Nullable Long ringingAtNs,
        @Nullable Long answeredAtNs,
        @Nullable Long endedAtNs,
        @Nullable Party hungUpBy,
        int messages,
        int retransmissions,
        int mirroredMessages,
        int hops,
        @Nullable String codec,
        boolean earlyMedia,
        @Nullable Party silentParty,
        List<Hold> holds,
        boolean encryptedMedia,
        boolean video,
        boolean fax,
        int reachedTags,
        int icmpErrors,
        Set<Problem> problems) {

    /**
     * A time on hold.
     *
     * @param by who put the other one on hold
     * @param fromNs the 2xx to the offer that began it
     * @param untilNs the 2xx to the offer that ended it; null if none did
     */
    public record Hold(Party by, long fromNs, @Nullable Long untilNs) {}

    /** INVITE to the first 18x, in nanoseconds; null without either. */
    public @Nullable Long ringDelayNs() {
        return invitedAtNs == null || ringingAtNs == null ? null : ringingAtNs - invitedAtNs;
    }

    /** INVITE to the first 2xx, in nanoseconds; null without either. */
    public @Nullable Long answerDelayNs() {
        return invitedAtNs == null || answeredAtNs == null ? null : answeredAtNs - invitedAtNs;
    }

    /** Answer to end, in nanoseconds; null for a call that was never answered or goes on. */
    public @Nullable Long durationNs() {
        return answeredAtNs == null || endedAtNs == null ? null : endedAtNs - answeredAtNs;
    }
}
