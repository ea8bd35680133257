package io.offhook.proxy.book;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.limit.RequestLimits;
import org.jspecify.annotations.Nullable;

/**
 * Whose concurrent calls a call counts among: attached to the context of its INVITE, and given back once when the call ends or
 * comes to nothing. Of one lane.
 */
public final class CallCharge {
    private final RequestLimits limits;
    private @Nullable IpAddress source;
    private String user = "";
    private String trunk = "";
    private boolean isReleased;

    /** A call that was counted for nobody yet. */
    public CallCharge(RequestLimits limits) {
        this.limits = limits;
    }

    /** It was counted for a source. */
    public void source(IpAddress address) {
        source = address;
    }

    /** It was counted for a user. */
    public void user(String name) {
        user = name;
    }

    /** It was counted for a trunk. */
    public void trunk(String name) {
        trunk = name;
    }

    /** Gives back what was counted. */
    public void release() {
        if (isReleased) {
            return;
        }
        isReleased = true;
        if (source != null) {
            limits.sourceCallEnded(source);
        }
        if (!user.isEmpty()) {
            limits.userCallEnded(user);
        }
        if (!trunk.isEmpty()) {
            limits.trunkCallEnded(trunk);
        }
    }
}
