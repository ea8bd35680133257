package io.offhook.proxy.lane;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.dns.Destination;
import io.offhook.proxy.dns.DestinationResolver;
import io.offhook.proxy.dns.DownList;
import io.offhook.proxy.dns.Resolution;
import io.offhook.proxy.dns.TargetPolicy;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipUri;
import io.offhook.sip.proxy.HopResolver;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Looks names up for one lane (RFC 3263): at once where the answer is known, else by way of its mailbox. */
public final class ResolvedHops implements HopResolver {
    private static final int TIMEOUT = 408;

    private final ProxyLane lane;
    private final DestinationResolver resolver;
    private final TargetPolicy policy;

    /**
     * Creates the resolver of a lane.
     *
     * @param lane whose mailbox receives what comes later
     * @param resolver serves all lanes
     * @param policy the transports that can be sent by
     */
    public ResolvedHops(ProxyLane lane, DestinationResolver resolver, TargetPolicy policy) {
        this.lane = lane;
        this.resolver = resolver;
        this.policy = policy;
    }

    @Override
    public void resolve(String uri, long nowNs, Result result) {
        SipUri parsed = SipUri.parse(uri);
        Resolution known = resolver.resolveNow(parsed, policy);
        if (known != null) {
            result.resolved(hops(known), nowNs);
            return;
        }
        resolver.resolve(parsed, policy).thenAccept(found -> lane.execute(atNs -> result.resolved(hops(found), atNs)));
    }

    @Override
    public void failed(SipHop place, int status, long retryAfterS) {
        DownList.Failure how = status == TIMEOUT
                ? DownList.Failure.TIMEOUT
                : retryAfterS < 0 ? DownList.Failure.TRANSPORT : DownList.Failure.UNAVAILABLE;
        resolver.failed(destination(place), how, TimeUnit.SECONDS.toMillis(Math.max(retryAfterS, 0)));
    }

    @Override
    public void answered(SipHop place) {
        if (resolver.down().size() > 0) {
            resolver.answered(destination(place));
        }
    }

    private static Destination destination(SipHop place) {
        return new Destination(place.transport(), place.address(), place.port(), place.name());
    }

    private static List<SipHop> hops(Resolution resolution) {
        return resolution.destinations().stream().map(ResolvedHops::hop).toList();
    }

    private static SipHop hop(Destination destination) {
        IpAddress address = destination.address();
        return new SipHop()
                .set(destination.transport(), -1, address.high(), address.low(), destination.port())
                .name(destination.serverName());
    }
}
