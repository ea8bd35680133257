package io.offhook.calls;

import io.offhook.calls.binding.CallSpan;
import io.offhook.calls.binding.NamedCall;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.invite.InviteLeg;
import io.offhook.calls.invite.InviteLegs;
import io.offhook.calls.invite.MessageKeys;
import io.offhook.calls.invite.MessageMemory;
import io.offhook.calls.invite.ResponseContext;
import io.offhook.calls.join.DialogEvidence;
import io.offhook.calls.join.JoinHeaders;
import io.offhook.calls.join.TransferEvidence;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipMultipart;
import io.offhook.sip.SipTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of one Call-ID, message by message: who calls whom, how far the call got, how it ended (RFC 3261, 12 to
 * 15). A call may pass several hops, each of which is a leg.
 *
 * <p>Times are nanoseconds since the epoch, {@link #NEVER} if something did not happen.
 */
final class Call implements CallSpan {
    static final long NEVER = InviteLeg.NEVER;

    /** RFC 3261, 17.1.1.2: timer B, 64 * T1. */
    private static final long NO_RESPONSE_NS = 32_000_000_000L;

    /** RFC 3261, 16.6: timer C; a callee that keeps ringing repeats its response every minute (13.3.1.1). */
    private static final long NO_FINAL_RESPONSE_NS = 180_000_000_000L;

    /** A transfer that reports nothing is over after as long as an INVITE may go without a response. */
    private static final long TRANSFER_NS = NO_RESPONSE_NS;

    private static final int MOST_TRANSFERS = 8;

    private final String callId;
    private final CallParties parties = new CallParties();
    private final CallMedia media;
    private final MessageMemory memory = new MessageMemory();
    private final InviteLegs legs = new InviteLegs();
    private final CallDialogs dialogs = new CallDialogs();
    private final DialogEnd end = new DialogEnd();
    private final DialogEnd.SessionTimer timer = new DialogEnd.SessionTimer();
    private final CallKeys keys = new CallKeys();
    private final DialogEvidence evidence = new DialogEvidence();
    private final JoinHeaders joins;
    private @Nullable TransferEvidence transferEvidence;
    private final CallHeaders headers = new CallHeaders();
    private CutCalls.@Nullable Parts cut;
    private final long callIdHash;
    private final Endpoint firstSource;
    private final Endpoint firstDestination;
    private final long firstFrame;
    private long firstSeenNs;
    private long lastSeenNs;
    private final SipTransport transport;

    private boolean isCall;
    private boolean updateSeen;
    private boolean isCapturedHere;
    private boolean callerHeard;
    private boolean calleeHeard;
    private int attempt;

    private long invitedNs = NEVER;
    private long progressNs = NEVER;
    private long ringingNs = NEVER;
    private long answeredNs = NEVER;
    private long acknowledgedNs = NEVER;
    private long finalNs = NEVER;
    private long byeNs = NEVER;
    private int finalStatus;
    private boolean finalByCallersHop;
    private @Nullable Side hungUpBy;

    /** Transfers under way: from the acceptance of a REFER to its last NOTIFY, or for as long as it may take. */
    private final List<Spans.Span> transfers = new ArrayList<>(0);

    private int inviteSends;
    private int messages;
    private int retransmissions;
    private int mirrored;

    /** @param joins the headers that name other legs */
    Call(String callId, SipPacket packet, FreshBindings fresh, JoinHeaders joins) {
        this.callId = callId;
        this.joins = joins;
        this.media = new CallMedia(this, fresh);
        this.callIdHash = packet.callIdHash();
        this.firstSource = packet.source();
        this.firstDestination = packet.destination();
        this.firstFrame = packet.frameNumber();
        this.firstSeenNs = packet.timestampNs();
        this.lastSeenNs = packet.timestampNs();
        this.transport = packet.transport();
    }

    /** Processes a message of this Call-ID. */
    SipListener.Copy message(SipMessageView message, SipPacket packet, SipMultipart part) {
        messages++;
        isCapturedHere |= !packet.context().isByAgent();
        firstSeenNs = Math.min(firstSeenNs, packet.timestampNs()); // TCP may deliver an answer before its request
        lastSeenNs = Math.max(lastSeenNs, packet.timestampNs());
        end.expired(NEVER, 0); // whether it has is decided anew when it is reported
        SipListener.Copy seen = memory.see(message, packet);
        if (seen == SipListener.Copy.MIRRORED) {
            mirrored++;
            return seen;
        }
        if (seen == SipListener.Copy.RETRANSMISSION) {
            retransmissions++;
            again(message, packet);
            return seen;
        }
        if (!isCall && !makesCall(message)) {
            callerHeard |= message.isRequest();
            calleeHeard |= !message.isRequest();
            return seen;
        }
        MessageKeys keys = MessageKeys.of(message);
        if (message.isRequest()) {
            request(message, keys, packet);
        } else if (message.cseqMethod() == SipMethod.INVITE) {
            inviteResponse(message, keys, packet);
        }
        if (message.isRequest()) {
            end.request(message, sideOf(message, keys), packet.timestampNs());
        } else if (keys.isInDialog() && isAnswered()) {
            end.response(message, packet.timestampNs());
            byeResponse(message, keys, packet.timestampNs());
        }
        timer.message(message, packet.timestampNs());
        boolean isCallers = sideOf(message, keys) == Side.CALLER;
        this.keys.message(message, isCallers ? Side.CALLER : Side.CALLEE, packet.timestampNs());
        callerHeard |= isCallers;
        calleeHeard |= !isCallers;
        transfer(message, packet.timestampNs());
        transferEvidence = TransferEvidence.note(transferEvidence, message, packet.destination(), packet.timestampNs());
        settle(packet.timestampNs());
        Side by = sideOf(message, keys);
        headers.message(message, by);
        media.message(message, packet, by, part);
        return seen;
    }

    private static boolean makesCall(SipMessageView message) {
        if (!message.isRequest()) {
            return message.cseqMethod() == SipMethod.INVITE;
        }
        return switch (message.method()) {
            case INVITE, ACK, CANCEL, BYE -> true;
            // only sent in a dialog that an INVITE created (RFC 3262, 3; RFC 3311, 5.1)
            case PRACK, UPDATE -> message.toTagHash() != 0;
            default -> false;
        };
    }

    private void again(SipMessageView message, SipPacket packet) {
        if (message.isRequest()
                && message.method() == SipMethod.INVITE
                && packet.source().equals(firstSource)) {
            inviteSends++;
        }
        if (isCall && !message.isRequest() && message.cseqMethod() == SipMethod.INVITE) {
            MessageKeys keys = MessageKeys.of(message);
            legs.responseAgain(keys, message.statusCode(), packet);
            if (message.statusCode() / 100 == 2) {
                dialogs.answerAgain(keys.fromTag(), keys.toTag(), keys.cseq());
            }
        }
    }

    private void request(SipMessageView message, MessageKeys keys, SipPacket packet) {
        isCall = true;
        boolean initial = message.method() == SipMethod.INVITE && (!keys.isInDialog() || answersChallenge());
        parties.meet(message, keys, initial);
        boolean callers = isCallersTag(keys.fromTag());
        long callerTag = callers ? keys.fromTag() : keys.toTag();
        long calleeTag = callers ? keys.toTag() : keys.fromTag();
        switch (message.method()) {
            case INVITE -> {
                if (initial) {
                    invite(keys, packet);
                    evidence.invite(message, joins);
                } else {
                    dialogs.confirm(callerTag, calleeTag);
                    dialogs.request(callerTag, calleeTag);
                }
            }
            case ACK -> {
                dialogs.acknowledge(callerTag, calleeTag, keys.cseq(), packet.timestampNs());
                legs.acknowledge(keys, packet);
                if (callers && legs.isAckTo2xx(keys, packet)) {
                    dialogs.confirm(callerTag, calleeTag);
                    acknowledgedNs = acknowledgedNs == NEVER ? packet.timestampNs() : acknowledgedNs;
                }
            }
            case CANCEL -> legs.cancel(keys, packet);
            case BYE -> {
                if (!callers || legs.isEmpty()) {
                    // a callee sends none in an early dialog (RFC 3261, 15)
                    dialogs.confirm(callerTag, calleeTag);
                }
                dialogs.bye(callerTag, calleeTag, packet.timestampNs(), callers ? Side.CALLER : Side.CALLEE);
            }
            default -> {
                if (message.method() == SipMethod.PRACK) {
                    prack(keys, packet);
                }
                updateSeen |= message.method() == SipMethod.UPDATE;
                if (keys.isInDialog()) {
                    dialogs.request(callerTag, calleeTag);
                }
            }
        }
    }

    private void prack(MessageKeys keys, SipPacket packet) {
        legs.prack(keys, packet);
        if (!isAnswered() && progressNs == NEVER) {
            progressNs = packet.timestampNs();
        }
    }

    /**
     * Whether an INVITE with a To tag may answer a challenge: some clients send credentials with the tag of the
     * challenge.
     */
    private boolean answersChallenge() {
        return finalByCallersHop && (finalStatus == 401 || finalStatus == 407) && !isAnswered();
    }

    private void invite(MessageKeys keys, SipPacket packet) {
        if (invitedNs == NEVER) {
            invitedNs = packet.timestampNs();
        }
        legs.invite(keys, packet, isAnswered());
        if (legs.attempt() != attempt) {
            inviteSends = 1;
        }
        followAttempt();
    }

    /** Drops the early dialogs of an attempt that the caller gave up. */
    private void followAttempt() {
        if (legs.attempt() != attempt) {
            attempt = legs.attempt();
            dialogs.forgetEarly();
        }
    }

    private void inviteResponse(SipMessageView message, MessageKeys keys, SipPacket packet) {
        isCall = true;
        evidence.sessionId(message, joins);
        InviteLeg leg = legs.response(keys, message.statusCode(), packet, answeredNs != NEVER || dialogs.isConfirmed());
        if (leg == null) {
            if (!isCallersTag(keys.fromTag()) && isCallersTag(keys.toTag())) {
                // a response to a re-INVITE of the callee that was not captured
                dialogs.confirm(keys.toTag(), keys.fromTag());
            }
            return;
        }
        followAttempt();
        parties.meet(message, keys, true);
        int status = message.statusCode();
        if (status >= 200) {
            leg.end(status, packet.timestampNs());
        }
        if (status > 100 && status < 200) {
            provisional(status, keys, packet);
        } else if (status >= 200 && status < 300) {
            dialogs.answer(keys, packet.timestampNs(), legs.isCallers(leg));
            if (answeredNs == NEVER) {
                answeredNs = packet.timestampNs();
            }
            if (finalStatus / 100 != 2) {
                finalStatus = status;
            }
        }
    }

    /** A 2xx shows that there was a BYE, which is missing where one direction was captured. */
    private void byeResponse(SipMessageView message, MessageKeys keys, long timestampNs) {
        if (message.cseqMethod() == SipMethod.BYE && message.statusCode() / 100 == 2) {
            boolean callers = isCallersTag(keys.fromTag());
            dialogs.bye(
                    callers ? keys.fromTag() : keys.toTag(),
                    callers ? keys.toTag() : keys.fromTag(),
                    timestampNs,
                    callers ? Side.CALLER : Side.CALLEE);
        }
    }

    /**
     * Processes a provisional response. After the answer it belongs to a re-INVITE: each side numbers its own requests
     * (RFC 3261, 8.1.1.5).
     */
    private void provisional(int status, MessageKeys keys, SipPacket packet) {
        if (isAnswered()) {
            return;
        }
        if (keys.toTag() != 0) {
            dialogs.met(keys.fromTag(), keys.toTag());
        }
        if (progressNs == NEVER) {
            progressNs = packet.timestampNs();
        }
        if (ringingNs == NEVER && status >= 180 && status <= 189) {
            ringingNs = packet.timestampNs();
        }
    }

    /** Follows a REFER (RFC 3515): once it is accepted, who talks to whom changes. */
    private void transfer(SipMessageView message, long timestampNs) {
        if (!message.isRequest() && message.cseqMethod() == SipMethod.REFER && message.statusCode() / 100 == 2) {
            if (transfers.size() < MOST_TRANSFERS) {
                transfers.add(new Spans.Span(timestampNs, timestampNs + TRANSFER_NS));
            }
        } else if (message.isRequest() && message.method() == SipMethod.NOTIFY && !transfers.isEmpty()) {
            Spans.Span last = transfers.removeLast();
            transfers.add(new Spans.Span(last.fromNs(), Math.max(last.fromNs(), timestampNs)));
        }
    }

    /** When transfers were under way. */
    List<Spans.Span> transfers() {
        return transfers;
    }

    /**
     * Brings the state up to date before a report: branches of a fork, and answers that nobody acknowledged, may have timed
     * out since the last message.
     *
     * @param captureEndNs the time of the last packet of the capture
     * @param lastMediaNs of the last packet of its media; {@link #NEVER} if there was none
     * @param icmpErrors about its packets
     */
    void conclude(long captureEndNs, long lastMediaNs, List<IcmpEvent> icmpErrors) {
        legs.unreachable(icmpErrors);
        if (isCall && (answeredNs != NEVER || legs.isForked())) {
            settle(captureEndNs);
        }
        end.expired(NEVER, 0);
        // media that goes on shows that the refresh was only not captured
        boolean isExpired = timer.expiresNs() <= captureEndNs && lastMediaNs <= timer.expiresNs();
        if (isExpired && isAnswered() && endedNs() == NEVER) {
            end.expired(lastMediaNs == NEVER ? lastSeenNs : Math.max(lastMediaNs, answeredNs), timer.seconds());
        }
    }

    /** Whether a message of one side shows that the other's were not captured. */
    boolean isOneDirection() {
        return callerHeard != calleeHeard
                && messages > 1
                && (calleeHeard || dialogs.isConfirmed() || legs.isHeardOf() || legs.hasCancel());
    }

    /** Whether a message was captured itself; all messages of other calls came from agents, who may send no media. */
    boolean isCapturedHere() {
        return isCapturedHere;
    }

    /** Whether the capture has the messages of the other side only, so that media of this side may be missing, too. */
    boolean isUnseen(Side side) {
        return isOneDirection() && !(side == Side.CALLER ? callerHeard : calleeHeard);
    }

    /** Updates the state after a message. */
    private void settle(long nowNs) {
        if (answeredNs == NEVER) {
            ResponseContext.Decision decided = legs.decided(nowNs);
            if (decided == null) {
                finalStatus = 0;
                finalNs = NEVER;
                finalByCallersHop = false;
            } else {
                // a response that a proxy passes on keeps its first time; a single branch of a fork ends nothing
                boolean passedOn = decided.status() == finalStatus && !legs.isForked();
                finalNs = passedOn ? finalNs : decided.atNs();
                finalStatus = decided.status();
                finalByCallersHop = !decided.isInferred() && legs.isCallers(decided.leg());
            }
        }
        CallDialogs.End end = dialogs.end(nowNs);
        byeNs = end == null ? NEVER : end.byeNs();
        hungUpBy = end == null ? null : end.by();
    }

    /** Who sent a message: a response repeats the From tag of its request (RFC 3261, 8.2.6.2). */
    private Side sideOf(SipMessageView message, MessageKeys keys) {
        return isCallersTag(keys.fromTag()) == message.isRequest() ? Side.CALLER : Side.CALLEE;
    }

    private boolean isCallersTag(long tag) {
        return tag == parties.fromTag() || legs.knowsTag(tag);
    }

    /** @param captureEndNs the time of the last packet of the capture */
    Outcome outcome(long captureEndNs) {
        if (isAnswered()) {
            return endedNs() == NEVER ? Outcome.ONGOING : Outcome.ANSWERED;
        }
        if (finalStatus >= 300) {
            // a BYE in an early dialog ends the INVITE in 487, too (RFC 3261, 15.1.2)
            return Outcome.ofFailure(finalStatus, legs.hasCancel() || byeNs != NEVER);
        }
        if (byeNs != NEVER || legs.isCancelledByCaller()) {
            return Outcome.CANCELLED;
        }
        return isTimedOut(captureEndNs) ? Outcome.UNAVAILABLE : Outcome.RINGING;
    }

    /** Whether the caller must have given up, as if it had received 408. */
    private boolean isTimedOut(long captureEndNs) {
        if (legs.isUnreachable()) {
            return true;
        }
        return isResponded()
                ? captureEndNs - legs.respondedNs() > NO_FINAL_RESPONSE_NS
                : !legs.isEmpty() && captureEndNs - legs.attemptNs() > NO_RESPONSE_NS;
    }

    /** Whether there was any response to the last attempt, including 100. */
    boolean isResponded() {
        return legs.respondedNs() != NEVER;
    }

    /**
     * Whether the call was answered, as far as was captured: by a 2xx or, if that was not captured, by something that
     * only follows one.
     */
    boolean isAnswered() {
        if (answeredNs != NEVER) {
            return true;
        }
        boolean refused = finalByCallersHop && finalStatus >= 300;
        return dialogs.isConfirmed() && !refused || updateSeen && legs.isEmpty();
    }

    /** Whether it is over, other than by a challenge. */
    boolean isOver() {
        return endedNs() != NEVER && (isAnswered() || finalStatus != 401 && finalStatus != 407);
    }

    /** {@link CallMedia#endNs} by all that was captured. */
    @Override
    public long mediaEndNs(long graceNs) {
        return media.endNs(graceNs, MediaBinding.ALL_FRAMES);
    }

    /** The time of the BYE, of the request that the other side refused instead, or of the final response that was not a success. */
    long endedNs() {
        if (byeNs != NEVER) {
            return Math.max(byeNs, answeredNs); // they may cross
        }
        return isAnswered() ? end.droppedNs() : finalNs;
    }

    /** What the joins of endpoints and streams need of it, where these are elsewhere. */
    NamedCall named() {
        long endNs = endedNs();
        return new NamedCall(
                callIdHash,
                firstFrame,
                firstSeenNs,
                answeredNs != NEVER ? answeredNs : NamedCall.NEVER,
                endNs == NEVER ? NamedCall.NEVER : Math.max(endNs, lastSeenNs),
                media.takenOverNs());
    }

    /** The keys that were sent by INFO. */
    CallKeys keys() {
        return keys;
    }

    /** Other ends than its BYE, and what was said about its end. */
    DialogEnd end() {
        return end;
    }

    /** What headers say of it beside its parties. */
    CallHeaders headers() {
        return headers;
    }

    /** The key among all calls: the Call-ID, unless that was cut off in all messages. */
    String callId() {
        return callId;
    }

    /** The Call-ID, or the longest part of it that was captured. */
    String reportedCallId() {
        return isCallIdPartial() ? cut().longest() : callId;
    }

    /** Whether the Call-ID was cut off in all messages. */
    boolean isCallIdPartial() {
        return CutCalls.isKey(callId);
    }

    /** Messages whose Call-ID was cut off. */
    CutCalls.Parts cut() {
        CutCalls.Parts known = cut;
        if (known == null) {
            known = new CutCalls.Parts();
            cut = known;
        }
        return known;
    }

    /** The frames of messages whose Call-ID was cut off. */
    List<Long> cutFrames() {
        return cut == null ? List.of() : cut.frames();
    }

    long callIdHash() {
        return callIdHash;
    }

    /** The sender of its first message. */
    Endpoint firstSource() {
        return firstSource;
    }

    Endpoint firstDestination() {
        return firstDestination;
    }

    boolean isCall() {
        return isCall;
    }

    CallMedia media() {
        return media;
    }

    /** What its messages say about other legs of the call. */
    DialogEvidence evidence() {
        return evidence;
    }

    /** What its messages say about transfers; null if nothing. */
    @Nullable
    TransferEvidence transferEvidence() {
        return transferEvidence;
    }

    /** Whether it has the dialog with these tags, in either order; a tag that is 0 is not compared. */
    boolean hasDialog(long oneTag, long otherTag) {
        return dialogs.has(oneTag, otherTag) || dialogs.has(otherTag, oneTag);
    }

    /** The fingerprints of its last messages. */
    MessageMemory messageMemory() {
        return memory;
    }

    /** The hops on which the INVITE was seen, each once, in order of appearance. */
    List<CallReport.Leg> legs() {
        return hops(true);
    }

    /** @param captured whether to leave out those of which only responses were captured */
    private List<CallReport.Leg> hops(boolean captured) {
        List<CallReport.Leg> hops = new ArrayList<>(legs.all().size());
        for (InviteLeg leg : legs.all()) {
            CallReport.Leg hop = new CallReport.Leg(leg.source(), leg.destination());
            if ((leg.isCaptured() || !captured) && !hops.contains(hop)) {
                hops.add(hop);
            }
        }
        return hops;
    }

    /** The number of INVITEs on further hops than are followed. */
    int droppedLegs() {
        return legs.dropped();
    }

    long firstFrame() {
        return firstFrame;
    }

    @Override
    public long firstSeenNs() {
        return firstSeenNs;
    }

    /** The time of its last message, copies included. */
    long lastSeenNs() {
        return lastSeenNs;
    }

    SipTransport transport() {
        return transport;
    }

    /** Who calls whom. */
    CallParties parties() {
        return parties;
    }

    long invitedNs() {
        return invitedNs;
    }

    /** The time of the first provisional response other than 100. */
    long progressNs() {
        return progressNs;
    }

    long ringingNs() {
        return ringingNs;
    }

    long answeredNs() {
        return answeredNs;
    }

    /** The first ACK to a 2xx, which need not have been captured. */
    long acknowledgedNs() {
        return acknowledgedNs;
    }

    /** The time that the slowest ACK to an answer took, in nanoseconds; 0 if none was captured. */
    long longestAckNs() {
        return dialogs.longestAckNs();
    }

    /** Notes the branches of all INVITEs. */
    void branchesInto(LongConsumer branches) {
        legs.branchesInto(branches);
    }

    /** Notes the endpoints and tags of its dialogs, where the INVITE or a response to it was captured. */
    void dialogsInto(DialogConsumer dialogsOf) {
        for (CallReport.Leg leg : hops(false)) {
            dialogsOf.accept(leg.source(), leg.destination(), parties.fromTag(), 0);
            dialogs.tagsInto(
                    (callerTag, calleeTag) -> dialogsOf.accept(leg.source(), leg.destination(), callerTag, calleeTag));
        }
    }

    /** Receives the ends of a dialog and their tags; a tag that is not known is 0. */
    interface DialogConsumer {
        void accept(Endpoint source, Endpoint destination, long callerTag, long calleeTag);
    }

    /** The number of the last INVITE with this From tag; 0 if there is none. */
    long inviteCseq(long fromTag) {
        return legs.cseqOf(fromTag);
    }

    /** The INVITE with this branch, captured itself or known by a response; null if there is none. */
    @Nullable
    InviteLeg inviteOf(long branch) {
        return legs.of(branch);
    }

    /** How often the INVITE of the last attempt was sent by the sender of the first message. */
    int inviteSends() {
        return inviteSends;
    }

    /** How often an answer was sent, at most. */
    int answerSends() {
        return dialogs.answerSends();
    }

    /** The time of an answer that lacks an ACK where one would have been captured; {@link #NEVER} if there is none. */
    long unacknowledgedNs() {
        return invitedNs == NEVER ? NEVER : dialogs.unacknowledgedNs();
    }

    long byeNs() {
        return byeNs;
    }

    /** The final status of the INVITE; 0 if none was seen. */
    int finalStatus() {
        return isAnswered() && answeredNs == NEVER || finalStatus == InviteLeg.REFUSED ? 0 : finalStatus;
    }

    @Nullable
    Side hungUpBy() {
        return isAnswered() ? hungUpBy : null;
    }

    int messages() {
        return messages;
    }

    int retransmissions() {
        return retransmissions;
    }

    int mirrored() {
        return mirrored;
    }
}
