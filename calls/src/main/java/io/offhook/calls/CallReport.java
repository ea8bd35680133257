package io.offhook.calls;

import io.offhook.packet.Endpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call: who, when, how it ended, its media, and what was wrong with it. Times are nanoseconds since the epoch, {@link
 * #NEVER} where a thing did not happen.
 *
 * @param callId Call-ID
 * @param from user part of the From URI of the INVITE; null where it has none
 * @param to user part of the To URI
 * @param fromUri the From URI; null where no message told it
 * @param toUri the To URI
 * @param outcome how it ended or how far it got
 * @param finalStatus of the INVITE, 200 to 699; 0 where none was seen
 * @param transport of its first message: "UDP", "TCP" or "WS"
 * @param firstSeenNs the first message of its Call-ID
 * @param invitedNs the first INVITE
 * @param progressNs the first provisional response but 100
 * @param ringingNs the first 18x
 * @param answeredNs the first 2xx; {@link #NEVER} too where it was not captured
 * @param endedNs the BYE, else the final response that was no success
 * @param hungUpBy who sent the BYE; null where nobody did, or it was never answered
 * @param messages SIP messages captured, copies included
 * @param retransmissions of the messages, how many were sent again
 * @param mirrored of the messages, how many a mirror port delivered once more
 * @param codec what the caller got by SDP; null where never answered
 * @param legs the hops that the INVITE was seen on
 * @param streams its media
 * @param problems what was wrong, the worst first
 * @param icmpErrors about its packets
 * @param holds intervals in which a side had the other on hold
 * @param isEncrypted media is SRTP as agreed; as offered while nobody has answered
 * @param firstFrame the packet it begins with, 1-based
 */
public record CallReport(
        String callId,
        @Nullable String from,
        @Nullable String to,
        @Nullable String fromUri,
        @Nullable String toUri,
        Outcome outcome,
        int finalStatus,
        String transport,
        long firstSeenNs,
        long invitedNs,
        long progressNs,
        long ringingNs,
        long answeredNs,
        long endedNs,
        @Nullable Side hungUpBy,
        int messages,
        int retransmissions,
        int mirrored,
        @Nullable String codec,
        List<Leg> legs,
        List<StreamReport> streams,
        List<String> problems,
        List<IcmpEvent> icmpErrors,
        List<Hold> holds,
        boolean isEncrypted,
        long firstFrame) {

    /** A time that never was. */
    public static final long NEVER = Call.NEVER;

    /**
     * One hop that the INVITE took.
     *
     * @param source who sent it on
     * @param destination whom it was sent to
     */
    public record Leg(Endpoint source, Endpoint destination) {}

    /**
     * A side's hold of the other.
     *
     * @param by who put the other on hold
     * @param fromNs when it began, nanoseconds since the epoch
     * @param untilNs when it ended
     */
    public record Hold(Side by, long fromNs, long untilNs) {}

    /** The time it is known by: that of the INVITE, else of its first message. */
    public long startedNs() {
        return invitedNs != NEVER ? invitedNs : firstSeenNs;
    }

    /** From the answer to the end, nanoseconds; {@link #NEVER} where either is missing. */
    public long durationNs() {
        return answeredNs == NEVER || endedNs == NEVER ? NEVER : endedNs - answeredNs;
    }

    /** From the INVITE to the first sign that the other side is being alerted, or the final response: what a caller waits. */
    public long setUpNs() {
        long sign = progressNs != NEVER ? progressNs : answeredNs != NEVER ? answeredNs : endedNs;
        return invitedNs == NEVER || sign == NEVER ? NEVER : sign - invitedNs;
    }

    CallReport withProblems(List<String> found) {
        return new CallReport(
                callId,
                from,
                to,
                fromUri,
                toUri,
                outcome,
                finalStatus,
                transport,
                firstSeenNs,
                invitedNs,
                progressNs,
                ringingNs,
                answeredNs,
                endedNs,
                hungUpBy,
                messages,
                retransmissions,
                mirrored,
                codec,
                legs,
                streams,
                found,
                icmpErrors,
                holds,
                isEncrypted,
                firstFrame);
    }
}
