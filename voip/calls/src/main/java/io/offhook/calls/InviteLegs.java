package io.offhook.calls;

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
final class InviteLegs {
    /** The most hops followed; those of earlier attempts are dropped first. */
    private static final int MAX = 256;

    private static final int TRYING = 100;
    private static final int SESSION_PROGRESS = 183;

    private final List<InviteLeg> legs = new ArrayList<>(1);
    private int attempt;
    private long attemptNs = Call.NEVER;
    private long attemptCseq = -1;
    private long attemptTag;
    private long respondedNs = Call.NEVER;
    private boolean strayCancel;
    private int dropped;

    /**
     * Processes an initial INVITE: one without a To tag, or one that answers a challenge.
     *
     * @param answered whether the call was answered before, so that no new attempt begins
     */
    void invite(MessageKeys keys, SipPacket packet, boolean answered) {
        if (!answered && beginsAttempt(keys, packet)) {
            begin(keys, packet);
        }
        for (InviteLeg known : legs) {
            if (known.fromTag == keys.fromTag() && isTakenBy(known, keys, packet, answered)) {
                return;
            }
        }
        InviteLeg leg = add(keys, packet.source(), packet.destination());
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
        if (sameTag ? keys.cseq() <= attemptCseq : knowsTag(keys.fromTag())) {
            return false;
        }
        Endpoint caller = callersLeg().source;
        if (packet.source().equals(caller)) {
            return true;
        }
        // a caller may change its port; an INVITE from a destination of the previous one was passed on
        return sameTag && isSameAddress(packet.source(), caller) && !isDestination(packet.source());
    }

    private void begin(MessageKeys keys, SipPacket packet) {
        // a CANCEL that was seen before anything else may belong to this attempt
        strayCancel &= attempt == 0;
        attempt++;
        attemptNs = packet.timestampNs();
        attemptCseq = keys.cseq();
        attemptTag = keys.fromTag();
        respondedNs = Call.NEVER;
    }

    private @Nullable InviteLeg add(MessageKeys keys, Endpoint from, Endpoint to) {
        if (legs.size() == MAX && !dropStale()) {
            dropped++;
            return null;
        }
        InviteLeg leg = new InviteLeg(keys, from, to, attempt);
        legs.add(leg);
        return leg;
    }

    /** The INVITE with this branch, captured itself or known by a response; null if there is none. */
    @Nullable
    InviteLeg of(long branch) {
        for (InviteLeg leg : legs) {
            if (leg.branch == branch) {
                return leg;
            }
        }
        return null;
    }

    /** Notes the branches of all INVITEs. */
    void branchesInto(LongConsumer branches) {
        for (InviteLeg leg : legs) {
            branches.accept(leg.branch);
        }
    }

    /** The highest number of an INVITE with this From tag; 0 if there is none. */
    long cseqOf(long fromTag) {
        long highest = 0;
        for (InviteLeg leg : legs) {
            highest = leg.fromTag == fromTag ? Math.max(highest, leg.cseq) : highest;
        }
        return highest;
    }

    /** The number of INVITEs on hops beyond {@value #MAX}. */
    int dropped() {
        return dropped;
    }

    private boolean dropStale() {
        for (int i = 1; i < legs.size(); i++) {
            if (legs.get(i).attempt != attempt) {
                legs.remove(i);
                return true;
            }
        }
        return false;
    }

    /**
     * Finds the leg of a response to an INVITE.
     *
     * @param status of the response
     * @param established whether a dialog is known to be confirmed, so that a response without a known INVITE is for a
     *     re-INVITE
     * @return null if the response is for a re-INVITE, or for an attempt that was given up
     */
    @Nullable
    InviteLeg response(MessageKeys keys, int status, SipPacket packet, boolean established) {
        InviteLeg leg = find(keys, packet.destination(), packet.source());
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
    void responseAgain(MessageKeys keys, int status, SipPacket packet) {
        InviteLeg leg = find(keys, packet.destination(), packet.source());
        if (leg != null && leg.attempt == attempt) {
            leg.responded(status, packet.timestampNs());
            respondedNs = Math.max(respondedNs, packet.timestampNs());
        }
    }

    /** Adds a leg for a response whose INVITE was not captured. */
    private @Nullable InviteLeg unseen(MessageKeys keys, SipPacket packet, boolean established) {
        long latest = -1;
        for (InviteLeg leg : legs) {
            latest = leg.fromTag == keys.fromTag() ? Math.max(latest, leg.cseq) : latest;
        }
        boolean unknown = latest < 0;
        if (unknown ? established || knowsTag(keys.toTag()) : keys.cseq() < latest) {
            return null;
        }
        if (!unknown && keys.cseq() > latest && established) {
            return null;
        }
        boolean callers = legs.isEmpty() || isSameAddress(packet.destination(), callersLeg().source);
        if (legs.isEmpty() || !unknown && keys.cseq() > latest && callers) {
            begin(keys, packet);
        }
        return add(keys, packet.destination(), packet.source());
    }

    /**
     * Finds the leg of a transaction by its branch (RFC 3261, 17.1.3), then by its endpoints. As ports may differ (RFC
     * 3581), addresses are enough if only one leg has them.
     */
    private @Nullable InviteLeg find(MessageKeys keys, Endpoint from, Endpoint to) {
        InviteLeg best = null;
        InviteLeg near = null;
        int bestFit = 0;
        int nearCount = 0;
        for (InviteLeg leg : legs) {
            if (!leg.isOf(keys)) {
                continue;
            }
            boolean sameBranch = keys.branch() != 0 && leg.branch == keys.branch();
            int fit = (sameBranch ? 2 : 0) + (leg.isOn(from, to) ? 1 : 0);
            if (fit > bestFit) {
                best = leg;
                bestFit = fit;
            }
            if (isSameAddress(leg.source, from) && isSameAddress(leg.destination, to)) {
                near = leg;
                nearCount++;
            }
        }
        return best != null ? best : nearCount == 1 ? near : null;
    }

    /** Processes a CANCEL. */
    void cancel(MessageKeys keys, SipPacket packet) {
        InviteLeg leg = find(keys, packet.source(), packet.destination());
        if (leg != null) {
            leg.cancelled = true;
            heard(leg, TRYING, packet.timestampNs()); // a client cancels no sooner (RFC 3261, 9.1)
        } else if (keys.cseq() >= attemptCseq) {
            strayCancel = true;
        }
    }

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
    void prack(MessageKeys keys, SipPacket packet) {
        for (InviteLeg leg : legs) {
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
    void acknowledge(MessageKeys keys, SipPacket packet) {
        for (InviteLeg leg : legs) {
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
    void unreachable(List<IcmpEvent> errors) {
        for (IcmpEvent error : errors) {
            for (InviteLeg leg : legs) {
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

    /** Whether the INVITE reached nobody, on any hop of this attempt. */
    boolean isUnreachable() {
        boolean any = false;
        for (InviteLeg leg : legs) {
            if (leg.attempt == attempt) {
                if (leg.unreachableNs() == Call.NEVER) {
                    return false;
                }
                any = true;
            }
        }
        return any;
    }

    /** Whether there was a response to the last attempt, captured or not. */
    boolean isHeardOf() {
        return respondedNs != Call.NEVER;
    }

    /** Whether there was a CANCEL on any hop of this attempt. */
    boolean hasCancel() {
        boolean any = strayCancel;
        for (InviteLeg leg : legs) {
            any |= leg.attempt == attempt && leg.cancelled;
        }
        return any;
    }

    /** Whether the caller cancelled; a proxy cancels single branches of its own. */
    boolean isCancelledByCaller() {
        if (strayCancel || !isForked()) {
            return hasCancel();
        }
        Endpoint caller = callersLeg().source;
        boolean any = false;
        for (InviteLeg leg : legs) {
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
    boolean isAckTo2xx(MessageKeys keys, SipPacket packet) {
        boolean fits = false;
        for (InviteLeg leg : legs) {
            if (!leg.captured || !leg.isOf(keys)) {
                continue;
            }
            boolean refused = leg.finalStatus() >= 300 && leg.isOn(packet.source(), packet.destination());
            if (leg.branch == keys.branch() || refused) {
                return false;
            }
            fits |= leg.branch != 0 && isSameAddress(leg.source, packet.source());
        }
        return fits && keys.branch() != 0 && keys.isInDialog();
    }

    /**
     * The final response to the last attempt that decides; null while it is pending.
     *
     * @param nowNs until when is known what was captured
     */
    ResponseContext.@Nullable Decision decided(long nowNs) {
        List<InviteLeg> current = legs;
        if (attempt > 1) {
            current = new ArrayList<>(legs);
            current.removeIf(leg -> leg.attempt != attempt);
        }
        return new ResponseContext(current, nowNs).decide();
    }

    /** Whether a leg is on the caller's own hop. */
    boolean isCallers(InviteLeg leg) {
        return leg.source.equals(callersLeg().source);
    }

    /** Whether any sender forked the INVITE of this attempt. */
    boolean isForked() {
        for (int i = 0; i < legs.size(); i++) {
            InviteLeg leg = legs.get(i);
            for (int j = 0; j < i; j++) {
                InviteLeg other = legs.get(j);
                if (leg.attempt == attempt && other.attempt == attempt && leg.source.equals(other.source)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The first hop of this attempt. */
    private InviteLeg callersLeg() {
        for (InviteLeg leg : legs) {
            if (leg.attempt == attempt) {
                return leg;
            }
        }
        return legs.getFirst();
    }

    private boolean isDestination(Endpoint endpoint) {
        for (InviteLeg leg : legs) {
            if (leg.attempt == attempt && leg.destination.equals(endpoint)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSameAddress(Endpoint one, Endpoint other) {
        return one.high() == other.high() && one.low() == other.low();
    }

    /** Whether this is the From tag of an INVITE; a B2BUA uses its own when it passes one on. */
    boolean knowsTag(long fromTag) {
        for (InviteLeg leg : legs) {
            if (leg.fromTag == fromTag) {
                return true;
            }
        }
        return false;
    }

    /** Whether neither an INVITE nor a response to one was seen. */
    boolean isEmpty() {
        return legs.isEmpty();
    }

    /** The number of attempts so far. */
    int attempt() {
        return attempt;
    }

    /** The time at which the last attempt began, as far as was captured. */
    long attemptNs() {
        return attemptNs;
    }

    /** The time of the last response to the last attempt; {@link Call#NEVER} if there was none. */
    long respondedNs() {
        return respondedNs;
    }

    /** The hops that the INVITE was seen on, each once, in order of appearance. */
    List<CallReport.Leg> report() {
        return hops(true);
    }

    /** All hops, also those of which only responses were captured. */
    List<CallReport.Leg> hops() {
        return hops(false);
    }

    private List<CallReport.Leg> hops(boolean captured) {
        List<CallReport.Leg> hops = new ArrayList<>(legs.size());
        for (InviteLeg leg : legs) {
            CallReport.Leg hop = new CallReport.Leg(leg.source, leg.destination);
            if ((leg.captured || !captured) && !hops.contains(hop)) {
                hops.add(hop);
            }
        }
        return hops;
    }
}
