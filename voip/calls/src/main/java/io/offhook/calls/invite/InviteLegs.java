package io.offhook.calls.invite;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The hops of a call's INVITE and the responses on each: client transactions as captured (RFC 3261, 17.1). The
 * responses on the caller's own hop count. A response further on counts only until there is one on the caller's hop,
 * and only if the same sender has no other branch pending.
 *
 * <p>An attempt is an INVITE of the caller with everything that resulted from it, including at proxies. An INVITE with
 * credentials or to another target begins a new attempt, and the final response to the previous one no longer counts.
 */
public final class InviteLegs {
    private static final int TRYING = 100;
    private static final int SESSION_PROGRESS = 183;

    private final LegTable legs = new LegTable();
    private int attempt;
    private long attemptNs = InviteLeg.NEVER;
    private long attemptCseq = -1;
    private long attemptTag;
    private long respondedNs = InviteLeg.NEVER;
    private boolean strayCancel;

    /**
     * Processes an initial INVITE: one without a To tag, or one that answers a challenge.
     *
     * @param answered whether the call was answered before, so that no new attempt begins
     */
    public void invite(MessageKeys keys, SipPacket packet, boolean answered) {
        if (!answered && beginsAttempt(keys, packet)) {
            begin(keys, packet);
        }
        for (InviteLeg known : legs.all()) {
            if (known.fromTag == keys.fromTag() && isTakenBy(known, keys, packet, answered)) {
                return;
            }
        }
        InviteLeg leg = legs.add(keys, packet.source(), packet.destination(), attempt);
        if (leg != null) {
            leg.captured = true;
            leg.sent(packet.timestampNs());
        }
    }

    /** Whether a known leg with the same From tag stands for this INVITE. */
    private boolean isTakenBy(InviteLeg known, MessageKeys keys, SipPacket packet, boolean answered) {
        boolean sameHop = known.isOn(packet.source(), packet.destination());
        boolean sameBranch = keys.branch() != 0 && known.branch == keys.branch();
        boolean unseen = !known.captured && (sameHop || sameBranch);
        if (known.cseq == keys.cseq() && (sameHop && sameBranch || unseen)) {
            // the response was seen first; it goes where Via says, not always where the INVITE came from
            known.source = packet.source();
            known.destination = packet.destination();
            known.captured = true;
            known.sent(packet.timestampNs());
            return true;
        }
        if (!sameHop || known.cseq == keys.cseq() && known.finalStatus() == 0) {
            return false; // two branches of a fork may have the same next hop
        }
        if (known.cseq <= keys.cseq() && !answered) {
            known.restart(keys, attempt);
            known.captured = true;
            known.sent(packet.timestampNs());
        }
        return true;
    }

    /** Whether the caller sends another INVITE, as opposed to somebody passing one on. */
    private boolean beginsAttempt(MessageKeys keys, SipPacket packet) {
        if (legs.isEmpty()) {
            return true;
        }
        boolean sameTag = keys.fromTag() == attemptTag;
        if (sameTag ? keys.cseq() <= attemptCseq : legs.knowsTag(keys.fromTag())) {
            return false;
        }
        Endpoint caller = legs.callersLeg(attempt).source;
        if (packet.source().equals(caller)) {
            return true;
        }
        // a caller may change its port; an INVITE from a destination of the previous one was passed on
        return sameTag
                && LegTable.isSameAddress(packet.source(), caller)
                && !legs.isDestination(packet.source(), attempt);
    }

    private void begin(MessageKeys keys, SipPacket packet) {
        // a CANCEL that was seen before anything else may belong to this attempt
        strayCancel &= attempt == 0;
        attempt++;
        attemptNs = packet.timestampNs();
        attemptCseq = keys.cseq();
        attemptTag = keys.fromTag();
        respondedNs = InviteLeg.NEVER;
    }

    /**
     * Finds the leg of a response to an INVITE.
     *
     * @param status of the response
     * @param established whether a dialog is known to be confirmed, so that a response without a known INVITE is for a
     *     re-INVITE
     * @return null if the response is for a re-INVITE, or for an attempt that was given up
     */
    public @Nullable InviteLeg response(MessageKeys keys, int status, SipPacket packet, boolean established) {
        InviteLeg leg = legs.find(keys, packet.destination(), packet.source());
        if (leg == null) {
            leg = unseen(keys, packet, established);
        }
        if (leg == null || leg.attempt != attempt) {
            return null;
        }
        respondedNs = Math.max(respondedNs, packet.timestampNs());
        leg.responded(status, packet.timestampNs());
        return leg;
    }

    /** Notes a repeated response, which shows that the callee is still busy with the call. */
    public void responseAgain(MessageKeys keys, int status, SipPacket packet) {
        InviteLeg leg = legs.find(keys, packet.destination(), packet.source());
        if (leg != null) {
            heard(leg, status, packet.timestampNs());
        }
    }

    /** Adds a leg for a response whose INVITE was not captured. */
    private @Nullable InviteLeg unseen(MessageKeys keys, SipPacket packet, boolean established) {
        long latest = -1;
        for (InviteLeg leg : legs.all()) {
            latest = leg.fromTag == keys.fromTag() ? Math.max(latest, leg.cseq) : latest;
        }
        boolean unknown = latest < 0;
        if (unknown ? established || legs.knowsTag(keys.toTag()) : keys.cseq() < latest) {
            return null;
        }
        if (!unknown && keys.cseq() > latest && established) {
            return null;
        }
        boolean callers =
                legs.isEmpty() || LegTable.isSameAddress(packet.destination(), legs.callersLeg(attempt).source);
        if (legs.isEmpty() || !unknown && keys.cseq() > latest && callers) {
            begin(keys, packet);
        }
        return legs.add(keys, packet.destination(), packet.source(), attempt);
    }

    /** Processes a CANCEL. */
    public void cancel(MessageKeys keys, SipPacket packet) {
        InviteLeg leg = legs.find(keys, packet.source(), packet.destination());
        if (leg != null) {
            leg.cancelled = true;
            heard(leg, TRYING, packet.timestampNs()); // a client cancels no sooner (RFC 3261, 9.1)
        } else if (keys.cseq() >= attemptCseq) {
            strayCancel = true;
        }
    }

    /** Notes a sign that a leg's INVITE was received; one of an earlier attempt no longer counts. */
    private void heard(InviteLeg leg, int status, long timestampNs) {
        if (leg.attempt == attempt) {
            leg.responded(status, timestampNs);
            respondedNs = Math.max(respondedNs, timestampNs);
        }
    }

    /**
     * Processes a PRACK, which follows a reliable provisional response to an INVITE of its sender (RFC 3262, 3), whether
     * that was captured or not.
     */
    public void prack(MessageKeys keys, SipPacket packet) {
        for (InviteLeg leg : legs.all()) {
            if (leg.fromTag == keys.fromTag()
                    && leg.finalStatus() == 0
                    && leg.isOn(packet.source(), packet.destination())) {
                heard(leg, SESSION_PROGRESS, packet.timestampNs());
            }
        }
    }

    /**
     * Processes an ACK: one with the branch and the CSeq of an INVITE is for a final response of 300 or higher (RFC 3261,
     * 17.1.1.3), also where that was not captured.
     */
    public void acknowledge(MessageKeys keys, SipPacket packet) {
        for (InviteLeg leg : legs.all()) {
            if (leg.captured
                    && leg.isOf(keys)
                    && leg.branch != 0
                    && leg.branch == keys.branch()
                    && leg.attempt == attempt
                    && leg.finalStatus() == 0) {
                heard(leg, InviteLeg.REFUSED, packet.timestampNs());
                leg.end(InviteLeg.REFUSED, packet.timestampNs());
            }
        }
    }

    /** Takes ICMP errors about INVITEs into account. */
    public void unreachable(List<IcmpEvent> errors) {
        for (IcmpEvent error : errors) {
            for (InviteLeg leg : legs.all()) {
                if (error.message().isUnreachable()
                        && leg.captured
                        && leg.finalStatus() == 0
                        && leg.sentNs() <= error.timestampNs()
                        && leg.isOn(error.source(), error.destination())) {
                    leg.unreachable(error.timestampNs());
                }
            }
        }
    }

    /** Whether there was a response to the last attempt, captured or not. */
    public boolean isHeardOf() {
        return respondedNs != InviteLeg.NEVER;
    }

    /** Whether there was a CANCEL on any hop of this attempt. */
    public boolean hasCancel() {
        boolean any = strayCancel;
        for (InviteLeg leg : legs.all()) {
            any |= leg.attempt == attempt && leg.cancelled;
        }
        return any;
    }

    /** Whether the caller cancelled; a proxy cancels single branches of its own. */
    public boolean isCancelledByCaller() {
        if (strayCancel || !legs.isForked(attempt)) {
            return hasCancel();
        }
        Endpoint caller = legs.callersLeg(attempt).source;
        boolean any = false;
        for (InviteLeg leg : legs.all()) {
            if (leg.attempt == attempt && leg.source.equals(caller) && leg.finalStatus() == 0) {
                if (!leg.cancelled) {
                    return false;
                }
                any = true;
            }
        }
        return any;
    }

    /**
     * Whether an ACK must be one to a 2xx, which has its own branch; the ACK to any other final response has the branch
     * of the INVITE (RFC 3261, 13.2.2.4 and 17.1.1.3).
     */
    public boolean isAckTo2xx(MessageKeys keys, SipPacket packet) {
        boolean fits = false;
        for (InviteLeg leg : legs.all()) {
            if (!leg.captured || !leg.isOf(keys)) {
                continue;
            }
            boolean refused = leg.finalStatus() >= 300 && leg.isOn(packet.source(), packet.destination());
            if (leg.branch == keys.branch() || refused) {
                return false;
            }
            fits |= leg.branch != 0 && LegTable.isSameAddress(leg.source, packet.source());
        }
        return fits && keys.branch() != 0 && keys.isInDialog();
    }

    /**
     * The final response to the last attempt that decides; null while it is pending.
     *
     * @param nowNs until when is known what was captured
     */
    public ResponseContext.@Nullable Decision decided(long nowNs) {
        List<InviteLeg> current = legs.all();
        if (attempt > 1) {
            current = new ArrayList<>(current);
            current.removeIf(leg -> leg.attempt != attempt);
        }
        return new ResponseContext(current, nowNs).decide();
    }

    /** Whether a leg is on the caller's own hop. */
    public boolean isCallers(InviteLeg leg) {
        return leg.source.equals(legs.callersLeg(attempt).source);
    }

    /** The number of attempts so far. */
    public int attempt() {
        return attempt;
    }

    /** The time at which the last attempt began, as far as was captured. */
    public long attemptNs() {
        return attemptNs;
    }

    /** The time of the last response to the last attempt; {@link InviteLeg#NEVER} if there was none. */
    public long respondedNs() {
        return respondedNs;
    }

    /** Whether neither an INVITE nor a response to one was seen. */
    public boolean isEmpty() {
        return legs.isEmpty();
    }

    /** All legs, those known by a response alone included, in order of appearance. */
    public List<InviteLeg> all() {
        return legs.all();
    }

    /** The INVITE with this branch, captured itself or known by a response; null if there is none. */
    public @Nullable InviteLeg of(long branch) {
        return legs.of(branch);
    }

    /** Notes the branches of all INVITEs. */
    public void branchesInto(LongConsumer branches) {
        legs.branchesInto(branches);
    }

    /** The highest number of an INVITE with this From tag; 0 if there is none. */
    public long cseqOf(long fromTag) {
        return legs.cseqOf(fromTag);
    }

    /** Whether this is the From tag of an INVITE; a B2BUA uses its own when it passes one on. */
    public boolean knowsTag(long fromTag) {
        return legs.knowsTag(fromTag);
    }

    /** Whether any sender forked the INVITE of this attempt. */
    public boolean isForked() {
        return legs.isForked(attempt);
    }

    /** Whether the INVITE reached nobody, on any hop of this attempt. */
    public boolean isUnreachable() {
        return legs.isUnreachable(attempt);
    }

    /** The number of INVITEs on further hops than are followed. */
    public int dropped() {
        return legs.dropped();
    }
}
