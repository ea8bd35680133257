package io.offhook.calls;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a call's INVITE went, hop by hop, and what came back on each: client transactions as captured (RFC 3261, 17.1).
 * Of what is said on several hops the caller's own counts; what a branch further on says counts only until then, and only
 * where nothing else that the same sender sent is pending.
 *
 * <p>An attempt is an INVITE of the caller with all that became of it, at proxies too. One more with credentials or to
 * another target begins a new attempt, and what the one before was told is final no more.
 */
final class InviteLegs {
    /** More hops are not followed; those of earlier attempts give way. */
    private static final int MAX = 16;

    private final List<InviteLeg> legs = new ArrayList<>(1);
    private int attempt;
    private long attemptNs = Call.NEVER;
    private long attemptCseq = -1;
    private long attemptTag;
    private long respondedNs = Call.NEVER;
    private boolean strayCancel;
    private int dropped;

    /**
     * Takes an initial INVITE into account: one without a To tag, or one that answers a challenge.
     *
     * @param answered whether the call was answered before; then nothing begins anew
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
        }
    }

    /** Whether a leg that is known with the same From tag stands for this INVITE. */
    private boolean isTakenBy(InviteLeg known, MessageKeys keys, SipPacket packet, boolean answered) {
        boolean sameHop = known.isOn(packet.source(), packet.destination());
        boolean sameBranch = keys.branch() != 0 && known.branch == keys.branch();
        boolean unseen = !known.captured && (sameHop || sameBranch);
        if (known.cseq == keys.cseq() && (sameHop && sameBranch || unseen)) {
            // the response came first; it goes where the Via says, not always where the INVITE came from
            known.source = packet.source();
            known.destination = packet.destination();
            known.captured = true;
            return true;
        }
        if (!sameHop || known.cseq == keys.cseq() && known.finalStatus() == 0) {
            return false; // two branches of a fork may have the same next hop
        }
        if (known.cseq <= keys.cseq() && !answered) {
            known.restart(keys, attempt);
            known.captured = true;
        }
        return true;
    }

    /** Whether it is the caller who sends an INVITE once more, and not somebody who passes it on. */
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
        // a caller may change its port, but what comes from where the INVITE went to was passed on
        return sameTag && isSameAddress(packet.source(), caller) && !isDestination(packet.source());
    }

    private void begin(MessageKeys keys, SipPacket packet) {
        // a CANCEL that was seen before anything else may well be this one's
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

    /** INVITEs on hops beyond {@value #MAX}. */
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
     * Finds what a response to an INVITE is for.
     *
     * @param established whether a dialog is known to be confirmed: then what fits no INVITE is for a re-INVITE
     * @return null where it is for a re-INVITE, or for an attempt that was given up
     */
    @Nullable
    InviteLeg response(MessageKeys keys, SipPacket packet, boolean established) {
        InviteLeg leg = find(keys, packet.destination(), packet.source());
        if (leg == null) {
            leg = unseen(keys, packet, established);
        }
        if (leg == null || leg.attempt != attempt) {
            return null;
        }
        respondedNs = Math.max(respondedNs, packet.timestampNs());
        return leg;
    }

    /** A response whose copy was seen before shows that the callee is still at it. */
    void responseAgain(MessageKeys keys, SipPacket packet) {
        InviteLeg leg = find(keys, packet.destination(), packet.source());
        if (leg != null && leg.attempt == attempt) {
            respondedNs = Math.max(respondedNs, packet.timestampNs());
        }
    }

    /** The INVITE of a response that fits none was not captured. */
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
     * The leg of a transaction. Its branch tells (RFC 3261, 17.1.3), then its endpoints; ports may differ (RFC 3581), so
     * that addresses alone are enough where just one leg has them.
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

    /** Takes a CANCEL into account. */
    void cancel(MessageKeys keys, SipPacket packet) {
        InviteLeg leg = find(keys, packet.source(), packet.destination());
        if (leg != null) {
            leg.cancelled = true;
        } else if (keys.cseq() >= attemptCseq) {
            strayCancel = true;
        }
    }

    /** Whether any hop of this attempt saw a CANCEL. */
    boolean hasCancel() {
        boolean any = strayCancel;
        for (InviteLeg leg : legs) {
            any |= leg.attempt == attempt && leg.cancelled;
        }
        return any;
    }

    /** Whether it is the caller who gave up; a proxy cancels single branches of its own. */
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
     * Whether an ACK can only be one to a 2xx: that has a branch of its own, the ACK to any other final response has its
     * INVITE's (RFC 3261, 13.2.2.4 and 17.1.1.3).
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
     * What the caller was told of the last attempt, or will be as far as can be seen; null while that is open.
     *
     * @return the leg with the final response that decides
     */
    @Nullable
    InviteLeg decided() {
        boolean[] visited = new boolean[legs.size()];
        InviteLeg decided = null;
        for (int i = 0; i < legs.size() && decided == null; i++) {
            if (legs.get(i).attempt == attempt && !visited[i]) {
                decided = told(legs.get(i).source, visited);
            }
        }
        return decided;
    }

    /** What a sender of the INVITE was told: of several branches the one that ended last, or at once by 6xx (16.7). */
    private @Nullable InviteLeg told(Endpoint sender, boolean[] visited) {
        InviteLeg last = null;
        InviteLeg everywhere = null;
        boolean pending = false;
        for (int i = 0; i < legs.size(); i++) {
            InviteLeg leg = legs.get(i);
            if (leg.attempt != attempt || visited[i] || !leg.source.equals(sender)) {
                continue;
            }
            visited[i] = true;
            InviteLeg told = leg.finalStatus() != 0 ? leg : toldBeyond(leg, visited);
            if (told == null) {
                pending = true;
            } else if (told.finalStatus() >= 600 && everywhere == null) {
                everywhere = told;
            } else if (last == null || told.finalNs() >= last.finalNs()) {
                last = told;
            }
        }
        return everywhere != null ? everywhere : pending ? null : last;
    }

    /** What the receiver of a leg was told when it passed the INVITE on; null where it did not, or not as far as seen. */
    private @Nullable InviteLeg toldBeyond(InviteLeg leg, boolean[] visited) {
        InviteLeg near = null;
        for (int i = 0; i < legs.size(); i++) {
            InviteLeg next = legs.get(i);
            if (next.attempt != attempt || visited[i]) {
                continue;
            }
            if (next.source.equals(leg.destination)) {
                return told(next.source, visited);
            }
            if (near == null && isSameAddress(next.source, leg.destination)) {
                near = next;
            }
        }
        return near == null ? null : told(near.source, visited);
    }

    /** Whether a leg is the caller's own, not one further on. */
    boolean isCallers(InviteLeg leg) {
        return leg.source.equals(callersLeg().source);
    }

    /** Whether somebody sent the INVITE of this attempt to more than one place. */
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

    /** Whether it is the From tag of an INVITE: a B2BUA gives its own one to what it passes on. */
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

    /** Counts the attempts, from 1. */
    int attempt() {
        return attempt;
    }

    /** When the last attempt began as far as was seen. */
    long attemptNs() {
        return attemptNs;
    }

    /** The last response to the last attempt; {@link Call#NEVER} where it had none. */
    long respondedNs() {
        return respondedNs;
    }

    /** The hops that the INVITE was seen on, each once, in order of appearance. */
    List<CallReport.Leg> report() {
        List<CallReport.Leg> hops = new ArrayList<>(legs.size());
        for (InviteLeg leg : legs) {
            CallReport.Leg hop = new CallReport.Leg(leg.source, leg.destination);
            if (leg.captured && !hops.contains(hop)) {
                hops.add(hop);
            }
        }
        return hops;
    }
}
