package io.offhook.proxy.policy;

import io.offhook.sip.SipHop;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.proxy.HeaderChanges;
import io.offhook.sip.proxy.TargetFallback;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The places that a name was resolved to and that may be sent to, one after the other (RFC 3263, 4.3). */
final class ResolvedPlaces implements TargetFallback {
    private static final int UNAVAILABLE = 503;

    private final String uri;
    private final List<SipHop> places;
    private int next;

    ResolvedPlaces(String uri, List<SipHop> places) {
        this.uri = uri;
        this.places = List.copyOf(places);
    }

    ForkTarget target(int place) {
        next = place + 1;
        return new ForkTarget(uri, List.of(), "", places.get(place), HeaderChanges.NONE, this);
    }

    @Override
    public @Nullable ForkTarget after(int status, boolean isLocal, long retryAfterS, long nowNs) {
        boolean isGone = isLocal || status == UNAVAILABLE;
        return isGone && next < places.size() ? target(next) : null;
    }
}
