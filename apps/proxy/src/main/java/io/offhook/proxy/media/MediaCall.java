package io.offhook.proxy.media;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.proxy.ResponseContext;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one lane knows of a call whose media are relayed. */
final class MediaCall {
    private static final int MOST_DIALOGS = 32;

    /**
     * A branch of the INVITE that began the call.
     *
     * @param request the number of the request in its core
     * @param branch its number in the request
     */
    record Branch(long request, int branch) {}

    final String callId;
    final MediaConfig.Profile profile;
    final MediaSessionRules rules = new MediaSessionRules();
    private final boolean isByBranch;
    /** Those whose offers were for the relay; the others go without. */
    private final Set<Branch> branches = new LinkedHashSet<>();
    /** The callee's tags of dialogs that a 2xx has made and no BYE has ended. */
    private final Set<String> dialogs = new HashSet<>();

    /** Commands whose answers are missing. */
    int openCommands;
    /** Whether the call is over, so that its media end with its last open command. */
    boolean isOver;

    long lastNs;

    MediaCall(String callId, MediaConfig.Profile profile, boolean isByBranch) {
        this.callId = callId;
        this.profile = profile;
        this.isByBranch = isByBranch;
    }

    static Branch branch(ResponseContext context, int branch) {
        return new Branch(context.number(), branch);
    }

    /** What tells a branch apart at the engine; "" if all share their ports. */
    String label(@Nullable Branch branch) {
        return isByBranch && branch != null ? branch.request + "-" + branch.branch : "";
    }

    void add(Branch branch) {
        branches.add(branch);
    }

    /** A branch goes on without relay; true if none is left with it. */
    boolean remove(Branch branch) {
        branches.remove(branch);
        return branches.isEmpty() && dialogs.isEmpty();
    }

    boolean has(Branch branch) {
        return branches.contains(branch);
    }

    /** Whether an INVITE began the call, which was not answered by 2xx. */
    boolean isSetUpBy(ResponseContext context) {
        return dialogs.isEmpty() && branches.stream().anyMatch(each -> each.request == context.number());
    }

    boolean isAnswered() {
        return !dialogs.isEmpty();
    }

    /** A 2xx has come by a branch; the branches that have lost, if they have ports of their own. */
    Set<Branch> answered(SipMessageView success, Branch branch) {
        boolean isFirst = dialogs.isEmpty();
        if (dialogs.size() < MOST_DIALOGS) {
            dialogs.add(success.toTag());
        }
        if (!isFirst || !isByBranch) {
            return Set.of();
        }
        Set<Branch> lost = new LinkedHashSet<>(branches);
        lost.remove(branch);
        branches.removeAll(lost);
        return lost;
    }

    /** A BYE has come; true if it ends the last dialog. */
    boolean ends(SipMessageView bye) {
        dialogs.remove(bye.toTag());
        dialogs.remove(bye.fromTag());
        return dialogs.isEmpty();
    }
}
