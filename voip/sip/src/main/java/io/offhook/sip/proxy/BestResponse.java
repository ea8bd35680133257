package io.offhook.sip.proxy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses among the final responses of all branches (RFC 3261, 16.7 step 6): a 6xx if there is one, else one of the lowest
 * class; within 4xx one that says what the sender can do about it; among 5xx any other than a 503.
 */
final class BestResponse {
    private static final int TIMEOUT = 408;
    private static final int LAST = 1000;
    private static final int SERVICE_UNAVAILABLE = 503;

    private BestResponse() {}

    static @Nullable ProxyBranch choose(List<ProxyBranch> branches, boolean isInvite) {
        ProxyBranch best = null;
        for (int i = 0; i < branches.size(); i++) {
            ProxyBranch branch = branches.get(i);
            if (branch.status > 0 && (best == null || rank(branch, isInvite) < rank(best, isInvite))) {
                best = branch;
            }
        }
        return best;
    }

    /** The lower, the better. */
    private static int rank(ProxyBranch branch, boolean isInvite) {
        int status = branch.status;
        int statusClass = status / 100;
        int rank = statusClass == 6 ? 0 : statusClass * 100;
        boolean isHelpful = switch (status) {
            case 401, 407, 415, 420, 484 -> true;
            default -> false;
        };
        if (!isHelpful) {
            rank += 10;
        }
        if (status == TIMEOUT && !isInvite) {
            // nobody may send it (RFC 4320, 4.2)
            rank += LAST;
        }
        if (status == SERVICE_UNAVAILABLE) {
            rank += 20;
        }
        return branch.local ? rank + 5 : rank;
    }
}
