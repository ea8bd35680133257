package io.offhook.proxy.policy;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.routing.Accounts;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.digest.DigestClient;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.proxy.ResponseContext;
import io.offhook.sip.proxy.TargetFallback;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the account with which the challenge of a peer is answered: that of the target that the rules chose. Requests in
 * dialogs follow their routes and have no target; they get the account with which their dialog began, but only at a place that
 * this account is for. Whoever writes a To tag and our Route into a request gets nothing answered by that. Of one lane.
 */
final class TrunkAccounts {
    private static final int MOST_DIALOGS = 1 << 16;

    /** A target at which the proxy has an account. */
    interface Target {
        /** The name of its credentials; "" if there are none. */
        String credentials();
    }

    /** A target without a group at which the proxy has an account; nothing is tried instead of it. */
    record Single(String credentials) implements TargetFallback, Target {
        @Override
        public @Nullable ForkTarget after(int status, boolean isLocal, long retryAfterS, long nowNs) {
            return null;
        }
    }

    /** What a dialog began with, and where. */
    private record Begun(String credentials, Endpoint place) {}

    /** By the hash of the Call-ID; the dialog that asked longest ago is forgotten first. */
    private final LinkedHashMap<Long, Begun> dialogs = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Begun> eldest) {
            return size() > MOST_DIALOGS;
        }
    };

    private final SipMessageView request = new SipMessageView();
    private Accounts accounts = Accounts.NONE;

    /** Takes the accounts of another configuration; dialogs keep theirs by name. */
    void configure(Accounts after) {
        accounts = after;
        dialogs.values().removeIf(begun -> !after.has(begun.credentials()));
    }

    /** The account for a request that was answered with a challenge; null if there is none. */
    @Nullable
    DigestClient find(ResponseContext context, @Nullable ForkTarget target, SipHop place) {
        if (accounts.isEmpty() || !context.request(request)) {
            return null;
        }
        Endpoint endpoint = new Endpoint(place.high(), place.low(), place.port());
        if (target == null) {
            return context.isInDialog() ? inDialog(context.method(), endpoint) : null;
        }
        String name = target.fallback() instanceof Target chosen ? chosen.credentials() : "";
        DigestClient account = accounts.client(name);
        if (account != null && !context.isInDialog()) {
            dialogs.put(request.callIdHash(), new Begun(name, endpoint));
        }
        return account;
    }

    private @Nullable DigestClient inDialog(SipMethod method, Endpoint place) {
        Begun begun = dialogs.get(request.callIdHash());
        if (begun != null && (begun.place().equals(place) || accounts.isMember(place, begun.credentials()))) {
            return accounts.client(begun.credentials());
        }
        // of a dialog that is not remembered, as after a restart: its credentials can do no more than end a call
        return method == SipMethod.BYE
                ? accounts.at(place).stream().findFirst().map(accounts::client).orElse(null)
                : null;
    }

    /** The dialogs that are remembered. */
    int dialogs() {
        return dialogs.size();
    }
}
