package io.offhook.proxy.policy;

import io.offhook.proxy.routing.NextHopGroup;
import io.offhook.sip.SipUri;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.proxy.HeaderChanges;
import io.offhook.sip.proxy.TargetFallback;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The members of a group, one after the other, as the target of one call; their health learns from what happens. */
final class GroupAttempts implements TargetFallback, TrunkAccounts.Target {
    /** What a group calls a failure without a response. */
    private static final int NO_RESPONSE = 0;

    private final NextHopGroup group;
    private final NextHopGroup.Attempts attempts;
    private final SipUri uri;
    private final HeaderChanges changes;
    private final String credentials;
    private final InstantSource clock;
    private int member = -1;

    /** @param credentials those of the rule, which come before the group's; "" for none */
    GroupAttempts(
            NextHopGroup group,
            String callId,
            SipUri uri,
            HeaderChanges changes,
            String credentials,
            InstantSource clock) {
        this.group = group;
        this.uri = uri;
        this.changes = changes;
        String ofGroup = group.credentials();
        this.credentials = credentials.isEmpty() && ofGroup != null ? ofGroup : credentials;
        this.clock = clock;
        attempts = group.begin(callId, clock.millis());
    }

    /** The name of the group. */
    String group() {
        return group.name();
    }

    /** The next member as a target; null if there is none. */
    @Nullable
    ForkTarget next() {
        member = attempts.next();
        if (member < 0) {
            return null;
        }
        String place = group.config().members().get(member).uri().toString();
        return new ForkTarget(group.uriFor(uri, member).toString(), List.of(), place, null, changes, this);
    }

    @Override
    public String credentials() {
        return credentials;
    }

    /** When a member may be asked again, in seconds, if none may be now; else 0. */
    int retryAfterS() {
        return attempts.retryAfterS();
    }

    @Override
    public @Nullable ForkTarget after(int status, boolean isLocal, long retryAfterS, long nowNs) {
        int seen = isLocal ? NO_RESPONSE : status;
        if (!group.failsOver(seen)) {
            group.health().succeeded(member);
            return null;
        }
        group.health().failed(member, Math.max(retryAfterS, 0), clock.millis());
        return next();
    }

    @Override
    public void responded(int status, long nowNs) {
        group.health().succeeded(member);
    }
}
