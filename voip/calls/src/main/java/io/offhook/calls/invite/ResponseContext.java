package io.offhook.calls.invite;

import io.offhook.packet.Endpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which final response the caller received to an attempt or, as far as can be seen, will receive (RFC 3261, 16.7): the best
 * one of all branches, once each has one. A branch from which nothing was heard counts as 408 after 64 T1 (17.1.1.2), or as
 * soon as its client turned to another target; after a provisional response, timer C decides (16.8). One that an ICMP error
 * came back from counts as 503 (16.9).
 */
public final class ResponseContext {
    /** 64 T1: timer B. */
    private static final long SILENT_NS = 32_000_000_000L;

    /** Timer C. */
    private static final long RINGING_NS = 180_000_000_000L;

    /** Branches of a fork begin together; an INVITE that follows after T1 or more is one to the next target. */
    private static final long FAILOVER_NS = 500_000_000L;

    private static final int TIMEOUT = 408;
    private static final int UNREACHABLE = 503;

    /**
     * The response that decides.
     *
     * @param leg that it came on
     * @param status 200 to 699, or {@link InviteLeg#REFUSED}
     * @param atNs when it came, or when it is taken to have
     * @param isInferred whether it is not a response, but follows from there being none
     */
    public record Decision(InviteLeg leg, int status, long atNs, boolean isInferred) {}

    private final List<InviteLeg> legs;
    private final boolean[] visited;
    private final long nowNs;

    /**
     * @param legs of the attempt
     * @param nowNs until when is known what was captured
     */
    ResponseContext(List<InviteLeg> legs, long nowNs) {
        this.legs = legs;
        this.nowNs = nowNs;
        visited = new boolean[legs.size()];
    }

    /** Null while the attempt is pending. */
    @Nullable
    Decision decide() {
        Decision decided = null;
        for (int i = 0; i < legs.size() && decided == null; i++) {
            if (!visited[i]) {
                decided = decideFor(legs.get(i).source);
            }
        }
        return decided;
    }

    /** The best response that a sender of the INVITE received, once all of its branches have one; a 6xx at once. */
    private @Nullable Decision decideFor(Endpoint sender) {
        Decision best = null;
        Decision everywhere = null;
        boolean pending = false;
        int branches = 0;
        for (int i = 0; i < legs.size(); i++) {
            InviteLeg leg = legs.get(i);
            if (visited[i] || !leg.source.equals(sender)) {
                continue;
            }
            visited[i] = true;
            branches++;
            Decision result = resultOf(leg);
            if (result == null) {
                pending = true;
            } else if (result.status / 100 == 6 && everywhere == null) {
                everywhere = result;
            } else if (best == null || isBetter(result, best)) {
                best = result;
            }
        }
        if (everywhere != null) {
            return everywhere;
        }
        // a branch alone that nobody answered is the call's own time-out
        boolean isAlone = best != null && best.isInferred && branches == 1 && best.leg.source.equals(sender);
        return pending || isAlone ? null : best;
    }

    private @Nullable Decision resultOf(InviteLeg leg) {
        if (leg.finalStatus() != 0) {
            return new Decision(leg, leg.finalStatus(), leg.finalNs(), false);
        }
        Decision beyond = decideBeyond(leg);
        return beyond != null ? beyond : inferred(leg);
    }

    /** Whether a response is better than another: by class, then the codes of 16.7, then a real one, then the last. */
    private static boolean isBetter(Decision result, Decision best) {
        if (result.status / 100 != best.status / 100) {
            return result.status / 100 < best.status / 100;
        }
        if (isPreferred(result.status) != isPreferred(best.status)) {
            return isPreferred(result.status);
        }
        if (result.isInferred != best.isInferred) {
            return best.isInferred;
        }
        return result.atNs >= best.atNs;
    }

    /** 4xx that tell the caller how to repair the request. */
    private static boolean isPreferred(int status) {
        return switch (status) {
            case 401, 407, 415, 420, 484 -> true;
            default -> false;
        };
    }

    /** What a branch without a final response counts as; null while it is pending. */
    private @Nullable Decision inferred(InviteLeg leg) {
        if (!leg.captured) {
            return null;
        }
        if (leg.unreachableNs() != InviteLeg.NEVER) {
            return new Decision(leg, UNREACHABLE, leg.unreachableNs(), true);
        }
        long endNs = leg.isResponded() ? leg.progressNs() + RINGING_NS : leg.sentNs() + SILENT_NS;
        if (!leg.isResponded()) {
            for (InviteLeg other : legs) {
                if (other.captured
                        && other.source.equals(leg.source)
                        && other.sentNs() - leg.sentNs() >= FAILOVER_NS
                        && other.sentNs() < endNs) {
                    endNs = other.sentNs();
                }
            }
        }
        return endNs <= nowNs ? new Decision(leg, TIMEOUT, endNs, true) : null;
    }

    /** The response that the receiver of a leg got after passing the INVITE on; null if it did not, as far as was seen. */
    private @Nullable Decision decideBeyond(InviteLeg leg) {
        InviteLeg near = null;
        for (int i = 0; i < legs.size(); i++) {
            InviteLeg next = legs.get(i);
            if (visited[i]) {
                continue;
            }
            if (next.source.equals(leg.destination)) {
                return decideFor(next.source);
            }
            if (near == null
                    && next.source.high() == leg.destination.high()
                    && next.source.low() == leg.destination.low()) {
                near = next;
            }
        }
        return near == null ? null : decideFor(near.source);
    }
}
