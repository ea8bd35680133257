package io.offhook.calls;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipMultipart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that was seen of one Call-ID, message by message: who calls whom, how far it got, how it ended (RFC 3261, 12 to
 * 15). One call may pass several hops, each of them a leg.
 *
 * <p>Times are nanoseconds since the epoch, {@link #NEVER} where a thing did not happen.
 */
final class Call {
    static final long NEVER = Long.MIN_VALUE;
    private static final int MAX_LEGS = 16;

    private final String callId;
    private final CallMedia media;
    private final MessageMemory memory = new MessageMemory();
    private final List<CallReport.Leg> legs = new ArrayList<>(1);
    private final long callIdHash;
    private final Endpoint firstSource;
    private final Endpoint firstDestination;
    private final long firstFrame;
    private final long firstSeenNs;
    private long lastSeenNs;
    private final String transport;

    private @Nullable String fromUser;
    private @Nullable String fromUri;
    private @Nullable String fromTag;
    private @Nullable String toUser;
    private @Nullable String toUri;
    private boolean isCall;
    private boolean dialogSeen;

    private long invitedNs = NEVER;
    private long progressNs = NEVER;
    private long ringingNs = NEVER;
    private long answeredNs = NEVER;
    private long acknowledgedNs = NEVER;
    private long cancelledNs = NEVER;
    private long finalNs = NEVER;
    private long byeNs = NEVER;
    private long inviteSequence = -1;
    private int finalStatus;
    private boolean finalByCallersHop;
    private @Nullable Side hungUpBy;

    private int messages;
    private int retransmissions;
    private int mirrored;

    Call(String callId, SipPacket packet, List<MediaBinding> fresh) {
        this.callId = callId;
        this.media = new CallMedia(this, fresh);
        this.callIdHash = packet.callIdHash();
        this.firstSource = packet.source();
        this.firstDestination = packet.destination();
        this.firstFrame = packet.frameNumber();
        this.firstSeenNs = packet.timestampNs();
        this.lastSeenNs = packet.timestampNs();
        this.transport = packet.transport();
    }

    /** Takes a message of this Call-ID into account. */
    SipListener.Copy message(SipMessageView message, SipPacket packet, SipMultipart part) {
        messages++;
        lastSeenNs = Math.max(lastSeenNs, packet.timestampNs());
        SipListener.Copy seen = memory.see(packet);
        if (seen != SipListener.Copy.FIRST) {
            if (seen == SipListener.Copy.MIRRORED) {
                mirrored++;
            } else {
                retransmissions++;
            }
            return seen;
        }
        if (message.isRequest()) {
            request(message, packet);
        } else if (message.cseqMethod() == SipMethod.INVITE) {
            inviteResponse(message, packet);
        }
        if (isCall) {
            media.message(message, packet, sideOf(message), part);
        }
        return seen;
    }

    private void request(SipMessageView message, SipPacket packet) {
        switch (message.method()) {
            case INVITE -> invite(message, packet);
            case ACK -> {
                meet(message);
                if (acknowledgedNs == NEVER && answeredNs != NEVER) {
                    acknowledgedNs = packet.timestampNs();
                }
            }
            case CANCEL -> {
                meet(message);
                if (cancelledNs == NEVER) {
                    cancelledNs = packet.timestampNs();
                }
            }
            case BYE -> bye(message, packet);
            default -> {}
        }
    }

    private void invite(SipMessageView message, SipPacket packet) {
        boolean initial = message.toTag().isEmpty();
        meet(message);
        if (!initial) {
            dialogSeen = true;
            return;
        }
        addLeg(packet);
        if (invitedNs == NEVER) {
            invitedNs = packet.timestampNs();
            inviteSequence = message.cseqNumber();
        } else if (message.cseqNumber() > inviteSequence && answeredNs == NEVER) {
            // once more, with credentials or to another target: what came before was not final
            inviteSequence = message.cseqNumber();
            finalStatus = 0;
            finalNs = NEVER;
            finalByCallersHop = false;
        }
    }

    private void addLeg(SipPacket packet) {
        for (CallReport.Leg leg : legs) {
            if (leg.source().equals(packet.source()) && leg.destination().equals(packet.destination())) {
                return;
            }
        }
        if (legs.size() < MAX_LEGS) {
            legs.add(new CallReport.Leg(packet.source(), packet.destination()));
        }
    }

    /** The first message of a dialog that is seen tells who is who; in mid-call, who sent it counts as the caller. */
    private void meet(SipMessageView message) {
        isCall = true;
        if (fromUri == null) {
            fromUser = known(message.fromUser());
            fromUri = message.fromUri();
            fromTag = message.fromTag();
            toUser = known(message.toUser());
            toUri = known(message.toUri());
        }
    }

    private static @Nullable String known(String text) {
        return text.isEmpty() ? null : text;
    }

    private void inviteResponse(SipMessageView message, SipPacket packet) {
        meet(message);
        int status = message.statusCode();
        // without an INVITE it may be the response to one just before the capture began, or to a re-INVITE that was
        // seen
        boolean ofInitial = inviteSequence < 0 ? !dialogSeen : message.cseqNumber() == inviteSequence;
        if (!ofInitial) {
            dialogSeen |= message.cseqNumber() > inviteSequence;
            return;
        }
        if (status > 100 && status < 200) {
            provisional(status, packet);
        } else if (status >= 200 && status < 300) {
            if (answeredNs == NEVER) {
                answeredNs = packet.timestampNs();
                finalStatus = status;
                finalNs = answeredNs;
            }
        } else if (status >= 300) {
            failure(status, packet);
        }
    }

    /** After the answer it is one to a re-INVITE: the other side's count starts anew (RFC 3261, 8.1.1.5). */
    private void provisional(int status, SipPacket packet) {
        if (answeredNs != NEVER) {
            return;
        }
        if (progressNs == NEVER) {
            progressNs = packet.timestampNs();
        }
        if (ringingNs == NEVER && status >= 180 && status <= 189) {
            ringingNs = packet.timestampNs();
        }
    }

    /** What the caller's own hop says counts; what a branch further on says only until then. */
    private void failure(int status, SipPacket packet) {
        boolean callersHop = legs.isEmpty() || isReplyOn(legs.getFirst(), packet);
        if (answeredNs == NEVER && (finalStatus == 0 || callersHop && !finalByCallersHop)) {
            // passed on by a proxy, it is as old as on the hop before; one branch of a fork ends nothing
            boolean passedOn = status == finalStatus && !isForked();
            finalNs = passedOn ? finalNs : packet.timestampNs();
            finalStatus = status;
            finalByCallersHop = callersHop;
        }
    }

    /** Whether somebody sent the INVITE to more than one place. */
    private boolean isForked() {
        for (CallReport.Leg leg : legs) {
            for (CallReport.Leg other : legs) {
                if (leg.source().equals(other.source()) && !leg.destination().equals(other.destination())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Ports may differ (RFC 3581, symmetric or not); addresses do not. */
    private static boolean isReplyOn(CallReport.Leg leg, SipPacket packet) {
        return packet.destination().withPort(0).equals(leg.source().withPort(0))
                && packet.source().withPort(0).equals(leg.destination().withPort(0));
    }

    private void bye(SipMessageView message, SipPacket packet) {
        meet(message);
        if (byeNs == NEVER) {
            byeNs = packet.timestampNs();
            hungUpBy = sideOf(message);
        }
    }

    /** Who sent a message: the From tag is that of the request, in the response too (RFC 3261, 8.2.6.2). */
    private Side sideOf(SipMessageView message) {
        boolean callersRequest = fromTag == null || fromTag.equals(message.fromTag());
        return callersRequest == message.isRequest() ? Side.CALLER : Side.CALLEE;
    }

    /** @param captureEndNs the time of the last packet of the capture */
    Outcome outcome(long captureEndNs) {
        if (isAnswered()) {
            return byeNs == NEVER ? Outcome.ONGOING : Outcome.ANSWERED;
        }
        if (finalStatus >= 300) {
            // a BYE in an early dialog ends the INVITE in 487, too (RFC 3261, 15.1.2)
            return Outcome.ofFailure(finalStatus, cancelledNs != NEVER || byeNs != NEVER);
        }
        if (byeNs != NEVER || cancelledNs != NEVER) {
            return Outcome.CANCELLED;
        }
        // RFC 3261, 17.1.1.2: no response in 64 * T1 is as good as 408
        boolean timedOut = progressNs == NEVER && captureEndNs - firstSeenNs > 32_000_000_000L;
        return timedOut ? Outcome.UNAVAILABLE : Outcome.RINGING;
    }

    /** Answered as far as seen: a 2xx, or, where the capture began later, what can only come after one. */
    boolean isAnswered() {
        return answeredNs != NEVER || invitedNs == NEVER && finalStatus == 0 && (dialogSeen || byeNs != NEVER);
    }

    /** When media may no longer be this call's: some time after its end; the far future while it lasts. */
    long mediaEndNs(long graceNs) {
        long end = endedNs();
        return end == NEVER ? Long.MAX_VALUE : Math.max(end, lastSeenNs) + graceNs;
    }

    /** The BYE, else the final response that was no success. */
    long endedNs() {
        return byeNs != NEVER ? byeNs : isAnswered() ? NEVER : finalNs;
    }

    String callId() {
        return callId;
    }

    long callIdHash() {
        return callIdHash;
    }

    /** Who sent its first message. */
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

    List<CallReport.Leg> legs() {
        return legs;
    }

    long firstFrame() {
        return firstFrame;
    }

    long firstSeenNs() {
        return firstSeenNs;
    }

    String transport() {
        return transport;
    }

    @Nullable
    String fromUser() {
        return fromUser;
    }

    @Nullable
    String fromUri() {
        return fromUri == null ? null : known(fromUri);
    }

    @Nullable
    String toUser() {
        return toUser;
    }

    @Nullable
    String toUri() {
        return toUri;
    }

    long invitedNs() {
        return invitedNs;
    }

    /** The first provisional response but 100. */
    long progressNs() {
        return progressNs;
    }

    long ringingNs() {
        return ringingNs;
    }

    long answeredNs() {
        return answeredNs;
    }

    long acknowledgedNs() {
        return acknowledgedNs;
    }

    long byeNs() {
        return byeNs;
    }

    /** Of the INVITE; 0 where none was seen. */
    int finalStatus() {
        return finalStatus;
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
