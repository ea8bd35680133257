package io.offhook.testkit.truth;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The truth about one call, counted while its packets were written. Times are those of the packets that complete the
 * messages, null if there was none.
 *
 * @param callId SIP Call-ID
 * @param from user part of From
 * @param to user part of To
 * @param outcome its outcome at the end of the capture
 * @param finalStatus the final status of the INVITE; null if none was captured
 * @param transport the transport of the first message: "UDP", "TCP" or "WS"
 * @param ipv6 whether it runs over IPv6
 * @param invitedAtNs the first INVITE
 * @param ringingAtNs the first 18x
 * @param answeredAtNs the first 2xx to the INVITE
 * @param endedAtNs the BYE, or else the final response; null for a call in progress
 * @param hungUpBy who sent the first BYE; null for a call that was never answered or is in progress
 * @param messages captured SIP messages with the Call-ID, including retransmissions, mirrored copies, and those of each
 *     hop
 * @param retransmissions those among them that an end sent again, without mirrored copies
 * @param mirroredMessages those among them that are copies made by the tap
 * @param hops how many of its signalling hops were captured
 * @param codec the SDP name of the audio codec when answered; null if never answered
 * @param earlyMedia whether RTP was captured between INVITE and answer
 * @param silentParty the party whose audio is missing in the capture though expected; null for none or both
 * @param holds intervals on hold
 * @param encryptedMedia whether the SDP asks for SRTP
 * @param video whether the SDP has video
 * @param fax whether it changed to T.38
 * @param reachedTags distinct To tags in responses to the INVITE: 2 for a forked call
 * @param icmpErrors port-unreachables captured that quote its packets, copies included
 * @param problems the problems that an analysis must report
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

    /** The time from answer to end in nanoseconds; null for a call that was never answered or is in progress. */
    public @Nullable Long durationNs() {
        return answeredAtNs == null || endedAtNs == null ? null : endedAtNs - answeredAtNs;
    }
}
