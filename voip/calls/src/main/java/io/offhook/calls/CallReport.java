package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A call: who, when, how it ended, its media, and what was wrong with it.
 *
 * @param callId Call-ID
 * @param parties who called whom
 * @param result how it ended or how far it got
 * @param times when what happened
 * @param signalling its messages and the way they took
 * @param media what SDP agreed on, and the streams
 * @param diagnosis what was wrong
 */
public record CallReport(
        String callId,
        Parties parties,
        Result result,
        Times times,
        Signalling signalling,
        Media media,
        Diagnosis diagnosis) {

    /** Stands for a time at which nothing happened. */
    public static final long NEVER = Call.NEVER;

    /** {@link Result#outcome()}. */
    public Outcome outcome() {
        return result.outcome;
    }

    /** {@link Result#finalStatus()}. */
    public int finalStatus() {
        return result.finalStatus;
    }

    /** {@link Result#hungUpBy()}. */
    public @Nullable Side hungUpBy() {
        return result.hungUpBy;
    }

    /** {@link Signalling#transport()}. */
    public SipTransport transport() {
        return signalling.transport;
    }

    /** {@link Signalling#counts()}. */
    public MessageCounts counts() {
        return signalling.counts;
    }

    /** {@link Signalling#legs()}. */
    public List<Leg> legs() {
        return signalling.legs;
    }

    /** {@link Signalling#firstFrame()}. */
    public long firstFrame() {
        return signalling.firstFrame;
    }

    /** {@link Media#codec()}. */
    public @Nullable String codec() {
        return media.codec;
    }

    /** {@link Media#isEncrypted()}. */
    public boolean isEncrypted() {
        return media.isEncrypted;
    }

    /** {@link Media#streams()}. */
    public List<StreamReport> streams() {
        return media.streams;
    }

    /** {@link Media#holds()}. */
    public List<Hold> holds() {
        return media.holds;
    }

    /** {@link Diagnosis#problems()}. */
    public List<Problem> problems() {
        return diagnosis.problems;
    }

    /** The same report with each stream replaced. */
    public CallReport withStreams(UnaryOperator<StreamReport> replacement) {
        List<StreamReport> replaced = media.streams.stream().map(replacement).toList();
        Media changed = new Media(media.codec, media.isEncrypted, replaced, media.holds);
        return new CallReport(callId, parties, result, times, signalling, changed, diagnosis);
    }

    /** Whether the service failed: a problem is of that class. */
    public boolean isBad() {
        for (Problem problem : diagnosis.problems) {
            if (problem.isBad()) {
                return true;
            }
        }
        return false;
    }

    /** {@link Diagnosis#icmpErrors()}. */
    public List<IcmpEvent> icmpErrors() {
        return diagnosis.icmpErrors;
    }

    /**
     * Who called whom, by From and To of the INVITE.
     *
     * @param from user part of the From URI; null if it has none
     * @param to user part of the To URI; null if it has none
     * @param fromUri the From URI; null if no message had one
     * @param toUri the To URI; null if no message had one
     */
    public record Parties(
            @Nullable String from,
            @Nullable String to,
            @Nullable String fromUri,
            @Nullable String toUri) {}

    /**
     * How a call ended, or how far it got.
     *
     * @param outcome the outcome
     * @param finalStatus of the INVITE, 200 to 699; 0 if none was seen
     * @param hungUpBy the sender of the BYE; null if there was none, or the call was never answered
     */
    public record Result(
            Outcome outcome, int finalStatus, @Nullable Side hungUpBy) {}

    /**
     * The messages of a call.
     *
     * @param transport of its first message
     * @param counts how many there were
     * @param legs the hops on which the INVITE was seen
     * @param firstFrame the number of its first packet, 1-based
     */
    public record Signalling(SipTransport transport, MessageCounts counts, List<Leg> legs, long firstFrame) {}

    /**
     * The media of a call.
     *
     * @param codec the codec that SDP assigns to the caller's side; null if the call was never answered
     * @param isEncrypted whether it is SRTP, as agreed, or as offered if the call was not answered
     * @param streams its RTP streams
     * @param holds intervals in which one side had the other on hold
     */
    public record Media(@Nullable String codec, boolean isEncrypted, List<StreamReport> streams, List<Hold> holds) {}

    /**
     * What was wrong with a call.
     *
     * @param problems the worst first
     * @param icmpErrors about its packets
     */
    public record Diagnosis(List<Problem> problems, List<IcmpEvent> icmpErrors) {}

    /**
     * The times of a call, in nanoseconds since the epoch; {@link #NEVER} for what did not happen.
     *
     * @param firstSeenNs the first message of its Call-ID
     * @param invitedNs the first INVITE
     * @param progressNs the first provisional response other than 100
     * @param ringingNs the first 18x
     * @param answeredNs the first 2xx; {@link #NEVER} also if it was not captured
     * @param endedNs the BYE, or the final response if it was not a success
     */
    public record Times(
            long firstSeenNs, long invitedNs, long progressNs, long ringingNs, long answeredNs, long endedNs) {

        /** The time that stands for the call: that of the INVITE, or of its first message if there was none. */
        public long startedNs() {
            return invitedNs != NEVER ? invitedNs : firstSeenNs;
        }

        /** From the answer to the end, in nanoseconds; {@link #NEVER} if either is missing. */
        public long durationNs() {
            return answeredNs == NEVER || endedNs == NEVER ? NEVER : endedNs - answeredNs;
        }

        /**
         * From the INVITE to the first sign that the callee is being alerted, or to the final response, in nanoseconds:
         * how long the caller waits. {@link #NEVER} if either is missing.
         */
        public long setUpNs() {
            long sign = progressNs != NEVER ? progressNs : answeredNs != NEVER ? answeredNs : endedNs;
            return invitedNs == NEVER || sign == NEVER ? NEVER : sign - invitedNs;
        }
    }

    /**
     * The numbers of SIP messages of a call.
     *
     * @param messages captured, copies included
     * @param retransmissions how many of them were sent again
     * @param mirrored how many of them a mirror port delivered once more
     */
    public record MessageCounts(int messages, int retransmissions, int mirrored) {}

    /**
     * A hop of the INVITE.
     *
     * @param source the sender on this hop
     * @param destination the receiver on this hop
     */
    public record Leg(Endpoint source, Endpoint destination) {}

    /**
     * An interval in which one side had the other on hold.
     *
     * @param by the side that put the other on hold
     * @param fromNs when it began, nanoseconds since the epoch
     * @param untilNs when it ended
     */
    public record Hold(Side by, long fromNs, long untilNs) {}
}
