package io.offhook.proxy.policy;

import io.offhook.sip.SipHop;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.proxy.HeaderChanges;
import io.offhook.sip.proxy.HopResolver;
import io.offhook.sip.proxy.TargetFallback;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The places that a name was resolved to and that may be sent to, one after the other (RFC 3263, 4.3). */
final class ResolvedPlaces implements TargetFallback {
    private static final int UNAVAILABLE = 503;

    private final String uri;
    private final List<SipHop> places;
    private final HopResolver resolver;
    private int next;

    /** Places that a resolver has found, and that it hears of. */
    ResolvedPlaces(String uri, List<SipHop> places, HopResolver resolver) {
        this.uri = uri;
        this.resolver = resolver;
        this.places = List.copyOf(places);
    }

    ForkTarget target(int place) {
        next = place + 1;
        return new ForkTarget(uri, List.of(), "", places.get(place), HeaderChanges.NONE, this);
    }

    @Override
    public @Nullable ForkTarget after(int status, boolean isLocal, long retryAfterS, long nowNs) {
        SipHop place = places.get(next - 1);
        boolean isGone = isLocal || status == UNAVAILABLE;
        if (isGone) {
            resolver.failed(place, status, isLocal ? -1 : Math.max(retryAfterS, 0));
        } else {
            resolver.answered(place);
        }
        return isGone && next < places.size() ? target(next) : null;
    }

    @Override
    public void responded(int status, long nowNs) {
        resolver.answered(places.get(next - 1));
    }
}
