package io.offhook.proxy.lane;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.dns.Destination;
import io.offhook.proxy.dns.DestinationResolver;
import io.offhook.proxy.dns.Resolution;
import io.offhook.proxy.dns.TargetPolicy;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipUri;
import io.offhook.sip.proxy.HopResolver;
import java.util.List;

/** Looks names up for one lane (RFC 3263): at once where the answer is known, else by way of its mailbox. */
public final class ResolvedHops implements HopResolver {
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
