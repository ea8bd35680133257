package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call: who, when, how it ended, its media, and what was wrong with it.
 *
 * @param callId Call-ID
 * @param parties who called whom
 * @param outcome how it ended or how far it got
 * @param finalStatus of the INVITE, 200 to 699; 0 where none was seen
 * @param transport of its first message
 * @param times when what happened
 * @param hungUpBy who sent the BYE; null where nobody did, or it was never answered
 * @param counts of its messages
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
        Parties parties,
        Outcome outcome,
        int finalStatus,
        SipTransport transport,
        Times times,
        @Nullable Side hungUpBy,
        MessageCounts counts,
        @Nullable String codec,
        List<Leg> legs,
        List<StreamReport> streams,
        List<Problem> problems,
        List<IcmpEvent> icmpErrors,
        List<Hold> holds,
        boolean isEncrypted,
        long firstFrame) {

    /** A time that never was. */
    public static final long NEVER = Call.NEVER;

    /**
     * Who called whom, as From and To of the INVITE have it.
     *
     * @param from user part of the From URI; null where it has none
     * @param to user part of the To URI; null where it has none
     * @param fromUri the From URI; null where no message had it
     * @param toUri the To URI; null where no message had it
     */
    public record Parties(
            @Nullable String from,
            @Nullable String to,
            @Nullable String fromUri,
            @Nullable String toUri) {}

    /**
     * When what happened, in nanoseconds since the epoch; {@link #NEVER} where a thing did not happen.
     *
     * @param firstSeenNs the first message of its Call-ID
     * @param invitedNs the first INVITE
     * @param progressNs the first provisional response but 100
     * @param ringingNs the first 18x
     * @param answeredNs the first 2xx; {@link #NEVER} too where it was not captured
     * @param endedNs the BYE, else the final response that was no success
     */
    public record Times(
            long firstSeenNs, long invitedNs, long progressNs, long ringingNs, long answeredNs, long endedNs) {

        /** The time that the call is known by: that of the INVITE, else of its first message. */
        public long startedNs() {
            return invitedNs != NEVER ? invitedNs : firstSeenNs;
        }

        /** From the answer to the end, nanoseconds; {@link #NEVER} where either is missing. */
        public long durationNs() {
            return answeredNs == NEVER || endedNs == NEVER ? NEVER : endedNs - answeredNs;
        }

        /**
         * From the INVITE to the first sign that the other side is being alerted, or the final response: what a caller
         * waits, in nanoseconds; {@link #NEVER} where either is missing.
         */
        public long setUpNs() {
            long sign = progressNs != NEVER ? progressNs : answeredNs != NEVER ? answeredNs : endedNs;
            return invitedNs == NEVER || sign == NEVER ? NEVER : sign - invitedNs;
        }
    }

    /**
     * How many SIP messages a call has.
     *
     * @param messages captured, copies included
     * @param retransmissions of them, how many were sent again
     * @param mirrored of them, how many a mirror port delivered once more
     */
    public record MessageCounts(int messages, int retransmissions, int mirrored) {}

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
}
