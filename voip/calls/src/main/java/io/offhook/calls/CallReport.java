package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.relay.StreamPassage;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.RtpStream;
import io.offhook.sip.SipTransport;
import io.offhook.sip.VoiceQualityReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
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

    /**
     * The longest silence of a call without media, or on hold, nanoseconds: 4 hours. Session timers refresh far more often (RFC
     * 4028), and a call without them seldom lasts as long.
     */
    public static final long LONGEST_SILENCE_NS = 4 * 3_600_000_000_000L;

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

    /** {@link Signalling#headers()}. */
    public Headers headers() {
        return signalling.headers;
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

    /** {@link Media#passages()}. */
    public List<StreamPassage> passages() {
        return media.passages;
    }

    /** {@link Media#holds()}. */
    public List<Hold> holds() {
        return media.holds;
    }

    /** {@link Diagnosis#problems()}. */
    public List<Problem> problems() {
        return diagnosis.problems;
    }

    /** The same report with key presses that were read since in its streams, which are given with their statistics. */
    public CallReport withKeys(Function<RtpStream, StreamReport.Keys> read) {
        Media other = media.with(stream -> stream.withKeys(read.apply(stream.statistics())));
        return new CallReport(callId, parties, result, times, signalling, other, diagnosis);
    }

    /**
     * The same report for another file with the same packets, where frames have other numbers: its streams may begin at any frame,
     * and none of its messages is known by its frame alone.
     */
    public CallReport withoutFrames() {
        Signalling other = new Signalling(
                signalling.transport,
                signalling.counts,
                signalling.legs,
                0,
                signalling.joined,
                signalling.headers,
                List.of());
        return new CallReport(
                callId, parties, result, times, other, media.with(StreamReport::withoutFrames), diagnosis);
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

    /** {@link Signalling#joined()}. */
    public Joined joined() {
        return signalling.joined;
    }

    /** {@link Joined#dialogs()}. */
    public List<Dialog> dialogs() {
        return signalling.joined.dialogs;
    }

    /** {@link Signalling#cutFrames()}. */
    public List<Long> cutFrames() {
        return signalling.cutFrames;
    }

    /** {@link Dialog#isCallIdPartial()} of its first dialog. */
    public boolean isCallIdPartial() {
        return dialogs().getFirst().isCallIdPartial;
    }

    /** Whether it has that Call-ID, or one of its dialogs has. */
    public boolean hasCallId(String text) {
        for (Dialog dialog : dialogs()) {
            if (dialog.callId.equals(text)) {
                return true;
            }
        }
        return callId.equals(text);
    }

    /**
     * The dialogs of a call and its relations.
     *
     * @param dialogs its dialogs, each with a Call-ID of its own: the first one, then the others by time
     * @param relations calls that it became, by transfer or pickup, and forks
     * @param possibleJoins dialogs that may be its legs, but were not joined
     */
    public record Joined(List<Dialog> dialogs, List<Relation> relations, List<PossibleJoin> possibleJoins) {}

    /** What a dialog is in its call. */
    public enum Role {
        /** The first one, whose INVITE came from the caller. */
        ROOT,
        /** The only leg that its parent led to. */
        LEG,
        /** One of several legs that its parent led to. */
        FORK;

        /** The name in JSON. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A dialog of a call: everything with one Call-ID.
     *
     * @param callId its Call-ID, or the longest part of it that was captured
     * @param isCallIdPartial whether the snap length cut off the Call-ID of all its messages; it is "" if nothing of it was
     *     captured
     * @param role what it is in its call
     * @param join why it was joined; null for the first one
     * @param hop the first hop of its INVITE; null if that was not captured
     * @param result how it ended
     * @param times what happened when
     */
    public record Dialog(
            String callId,
            boolean isCallIdPartial,
            Role role,
            @Nullable Join join,
            @Nullable Leg hop,
            Result result,
            Times times) {}

    /**
     * Why a dialog was joined to another one.
     *
     * @param parentCallId the dialog whose leg it is
     * @param score the sum of the weights, 100 or more
     * @param reasons what speaks for it, each with its weight
     */
    public record Join(String parentCallId, int score, List<String> reasons) {}

    /**
     * A dialog of another call that may be a leg of the same one.
     *
     * @param callId its Call-ID
     * @param score the sum of the weights, 60 or more
     * @param reasons what speaks for it, each with its weight
     */
    public record PossibleJoin(String callId, int score, List<String> reasons) {}

    /**
     * What became of a call.
     *
     * @param kind how the calls are related
     * @param callId the other dialog
     * @param atNs when, nanoseconds since the epoch
     * @param proof what shows it, in words
     */
    public record Relation(Kind kind, String callId, long atNs, String proof) {
        /** How calls are related. */
        public enum Kind {
            /** A side was sent to somebody else by REFER (RFC 3515). */
            TRANSFERRED_TO("transferredTo"),
            /** A call took its place by Replaces (RFC 3891). */
            REPLACED_BY("replacedBy"),
            /** Somebody else answered it while it rang. */
            PICKED_UP_BY("pickedUpBy"),
            /** It rang at several places. */
            FORKED_TO("forkedTo");

            private final String label;

            Kind(String label) {
                this.label = label;
            }

            /** The name in JSON. */
            public String label() {
                return label;
            }
        }
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
     * @param joined its dialogs, each with a Call-ID of its own, and its relations to other calls
     * @param headers what other headers say
     * @param cutFrames numbers of the packets with messages whose Call-ID was cut off
     */
    public record Signalling(
            SipTransport transport,
            MessageCounts counts,
            List<Leg> legs,
            long firstFrame,
            Joined joined,
            Headers headers,
            List<Long> cutFrames) {}

    /**
     * What headers say of a call beside its parties, each text of at most 128 characters, the last an ellipsis if it was
     * longer.
     *
     * @param callerSoftware User-Agent of the caller's first message that has one, or Server of its response; null if
     *     none has
     * @param calleeSoftware Server or User-Agent of the callee's answer, else of its ringing, else of its refusal; null
     *     if none has
     * @param assertedIdentity the URI in the first P-Asserted-Identity of an INVITE of the caller (RFC 3325); null if
     *     there is none
     * @param diversion the first Diversion value of such an INVITE: who diverted it last (RFC 5806); null if there is none
     * @param historyInfo the first History-Info value: the original target (RFC 7044); null if there is none
     * @param reason why it ended
     */
    public record Headers(
            @Nullable String callerSoftware,
            @Nullable String calleeSoftware,
            @Nullable String assertedIdentity,
            @Nullable String diversion,
            @Nullable String historyInfo,
            Reason reason) {

        /** Headers that say nothing. */
        public static final Headers NONE = new Headers(null, null, null, null, null, new Reason(null, -1, -1));
    }

    /**
     * The Reason headers (RFC 3326, RFC 6432) of a BYE or, if the call was not answered, of a CANCEL or of final responses
     * of 300 and above to the INVITE, too.
     *
     * @param text the first one, as written; null if there is none
     * @param q850Cause the first cause of Q.850, 0 to 127; -1 if there is none
     * @param sipCause the first status, 200 to 699; -1 if there is none
     */
    public record Reason(@Nullable String text, int q850Cause, int sipCause) {}

    /**
     * The media of a call.
     *
     * @param codec the codec that SDP assigns to the caller's side; null if the call was never answered
     * @param isEncrypted whether it is SRTP, as agreed, or as offered if the call was not answered
     * @param streams its RTP streams
     * @param holds intervals in which one side had the other on hold
     * @param infoKeys the keys pressed that were sent by INFO; the streams have the others
     * @param qualityReports of phones about it
     * @param passages the ways of its streams from one point of capture to the next
     */
    public record Media(
            @Nullable String codec,
            boolean isEncrypted,
            List<StreamReport> streams,
            List<Hold> holds,
            List<KeyPress> infoKeys,
            List<QualityReport> qualityReports,
            List<StreamPassage> passages) {

        /** The same with other streams. */
        private Media with(UnaryOperator<StreamReport> change) {
            List<StreamReport> changed = new ArrayList<>(streams.size());
            streams.forEach(stream -> changed.add(change.apply(stream)));
            return new Media(codec, isEncrypted, List.copyOf(changed), holds, infoKeys, qualityReports, passages);
        }
    }

    /**
     * A key press.
     *
     * @param atNs when its first packet was captured, nanoseconds since the epoch
     * @param by who pressed it
     * @param key 0-9, *, #, A-D, or ! for a flash
     * @param durationMs in milliseconds, as stated, or as measured in the audio; -1 if an INFO does not state it
     * @param means how it was sent
     */
    public record KeyPress(long atNs, Side by, char key, int durationMs, Means means) {
        /** How a key press is sent. */
        public enum Means {
            /** By SIP INFO. */
            INFO,
            /** By telephone-events (RFC 4733). */
            EVENT,
            /** By two tones in the audio (ITU-T Q.23). */
            AUDIO;

            /** The name in JSON. */
            public String label() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }

    /**
     * What a phone reported of its call (RFC 6035).
     *
     * @param atNs when it was captured, nanoseconds since the epoch
     * @param source who sent it
     * @param report its figures
     */
    public record QualityReport(long atNs, Endpoint source, VoiceQualityReport report) {}

    /**
     * All keys pressed, by time; those in the audio only of streams that somebody listened to. A key that several streams
     * of a side have within half a second, as a relay passed it on, counts once.
     */
    public List<KeyPress> keys() {
        return CallKeys.all(media.infoKeys, media.streams);
    }

    /** What phones reported of it (RFC 6035). */
    public List<QualityReport> qualityReports() {
        return media.qualityReports();
    }

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
     * @param acknowledgedNs the first ACK of the INVITE that must be one to a 2xx (RFC 3261, 13.2.2.4)
     * @param endedNs the BYE, or the final response if it was not a success
     * @param setUpNs from the INVITE to the first sign that the callee is being alerted, or else to the final response:
     *     how long the caller waited. {@link #NEVER} if either is missing, also if it was not captured
     */
    public record Times(
            long firstSeenNs,
            long invitedNs,
            long progressNs,
            long ringingNs,
            long answeredNs,
            long acknowledgedNs,
            long endedNs,
            long setUpNs) {

        /** The time that stands for the call: that of the INVITE, or of its first message if there was none. */
        public long startedNs() {
            return invitedNs != NEVER ? invitedNs : firstSeenNs;
        }

        /**
         * From the answer, or else from its ACK, to the end, in nanoseconds; {@link #NEVER} if one of them is missing.
         */
        public long durationNs() {
            long fromNs = answeredNs != NEVER ? answeredNs : acknowledgedNs;
            return fromNs == NEVER || endedNs == NEVER ? NEVER : Math.max(0, endedNs - fromNs);
        }

        /** Whether {@link #durationNs} begins with the ACK, because the answer was not captured. */
        public boolean isDurationApproximate() {
            return answeredNs == NEVER && durationNs() != NEVER;
        }
    }

    /**
     * The numbers of SIP messages of a call.
     *
     * @param messages captured, copies included
     * @param retransmissions how many of them were sent again
     * @param mirrored how many of them a mirror port delivered once more
     * @param lastNs when the last of them was captured, nanoseconds since the epoch
     */
    public record MessageCounts(int messages, int retransmissions, int mirrored, long lastNs) {}

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
