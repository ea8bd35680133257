package io.offhook.calls.invite;

import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The legs known of a call, in order of appearance, found by what messages show of them: branch, From tag, endpoints.
 * Their number is limited; legs of earlier attempts make room, and those that find none are counted.
 */
final class LegTable {
    /** The most hops followed; those of earlier attempts are dropped first. */
    private static final int MAX = 256;

    private final List<InviteLeg> legs = new ArrayList<>(1);
    private int dropped;

    /** Adds a leg of the latest attempt; null if there is no room. */
    @Nullable
    InviteLeg add(MessageKeys keys, Endpoint from, Endpoint to, int attempt) {
        if (legs.size() == MAX && !dropStale(attempt)) {
            dropped++;
            return null;
        }
        InviteLeg leg = new InviteLeg(keys, from, to, attempt);
        legs.add(leg);
        return leg;
    }

    private boolean dropStale(int attempt) {
        for (int i = 1; i < legs.size(); i++) {
            if (legs.get(i).attempt != attempt) {
                legs.remove(i);
                return true;
            }
        }
        return false;
    }

    /** All legs, in order of appearance. */
    List<InviteLeg> all() {
        return legs;
    }

    boolean isEmpty() {
        return legs.isEmpty();
    }

    /** The number of INVITEs on hops beyond {@value #MAX}. */
    int dropped() {
        return dropped;
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

    /** Whether this is the From tag of an INVITE; a B2BUA uses its own when it passes one on. */
    boolean knowsTag(long fromTag) {
        for (InviteLeg leg : legs) {
            if (leg.fromTag == fromTag) {
                return true;
            }
        }
        return false;
    }

    /**
     * Finds the leg of a transaction by its branch (RFC 3261, 17.1.3), then by its endpoints. As ports may differ (RFC
     * 3581), addresses are enough if only one leg has them.
     */
    @Nullable
    InviteLeg find(MessageKeys keys, Endpoint from, Endpoint to) {
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

    /** The first hop of an attempt, which is the caller's own; there has to be a leg. */
    InviteLeg callersLeg(int attempt) {
        for (InviteLeg leg : legs) {
            if (leg.attempt == attempt) {
                return leg;
            }
        }
        return legs.getFirst();
    }

    /** Whether an attempt was sent to an endpoint on any hop. */
    boolean isDestination(Endpoint endpoint, int attempt) {
        for (InviteLeg leg : legs) {
            if (leg.attempt == attempt && leg.destination.equals(endpoint)) {
                return true;
            }
        }
        return false;
    }

    /** Whether any sender forked the INVITE of an attempt. */
    boolean isForked(int attempt) {
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

    /** Whether the INVITE reached nobody, on any hop of an attempt. */
    boolean isUnreachable(int attempt) {
        boolean any = false;
        for (InviteLeg leg : legs) {
            if (leg.attempt == attempt) {
                if (leg.unreachableNs() == InviteLeg.NEVER) {
                    return false;
                }
                any = true;
            }
        }
        return any;
    }

    /** Whether two endpoints have one address, whatever their ports. */
    static boolean isSameAddress(Endpoint one, Endpoint other) {
        return one.high() == other.high() && one.low() == other.low();
    }
}
