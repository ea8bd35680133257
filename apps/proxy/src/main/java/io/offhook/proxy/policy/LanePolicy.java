package io.offhook.proxy.policy;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.book.CallCharge;
import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.limit.LimitVerdict;
import io.offhook.proxy.limit.Rates;
import io.offhook.proxy.location.Registrar;
import io.offhook.proxy.media.MediaCalls;
import io.offhook.proxy.media.MediaRelay;
import io.offhook.proxy.routing.MessageHeaders;
import io.offhook.proxy.routing.RouteDecision;
import io.offhook.proxy.routing.RouteQuery;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipUri;
import io.offhook.sip.SipUriView;
import io.offhook.sip.proxy.BodyRewriter;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.proxy.HeaderChanges;
import io.offhook.sip.proxy.HopResolver;
import io.offhook.sip.proxy.ProxyIdentity;
import io.offhook.sip.proxy.ProxyPolicy;
import io.offhook.sip.proxy.ResponseContext;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one lane.
 *
 * <pre>
 *  in a dialog, with a Route           relayed
 *  above a limit                       503, 486
 *  REGISTER of our domain              credentials, registrar
 *  from a user of our domain           credentials
 *  by the rules                        answered, relayed, sent to targets, or to where the user is registered
 * </pre>
 */
public final class LanePolicy implements ProxyPolicy {
    /** Credentials are for us; others could replay them (RFC 3261, 22.3). */
    private static final HeaderChanges WITHOUT_CREDENTIALS = new HeaderChanges(Set.of("Proxy-Authorization"), "");

    private final ProxyLane lane;
    private final ProxyIdentity identity;
    private final HopResolver resolver;
    private final SourceNat nat = new SourceNat();
    private final SipUriView uri = new SipUriView();
    private final @Nullable MediaCalls media;

    // replaced by a reload
    private PolicyServices services;
    private RelayAccess relay;
    private RouteApplication routes;
    private @Nullable RegistrarDesk registrar;
    private boolean relaysOnly;
    private boolean hasLimits;

    /** Creates the policy of a lane; the identity is its own. */
    public LanePolicy(ProxyLane lane, PolicyServices services, ProxyIdentity identity, HopResolver resolver) {
        this.lane = lane;
        this.resolver = resolver;
        this.identity = identity;
        this.services = services;
        MediaRelay engines = services.media();
        media = engines == null ? null : new MediaCalls(engines, new MediaChoice(engines, services), lane::execute);
        relay = new RelayAccess(services.routing().config().relay());
        routes = new RouteApplication(lane, services, relay, resolver);
        configure(services);
    }

    /** Takes what another configuration has made; on the lane's thread. Requests that wait for a decision keep the old one. */
    public void configure(PolicyServices after) {
        services = after;
        relay = new RelayAccess(after.routing().config().relay());
        routes = new RouteApplication(lane, after, relay, resolver);
        Registrar of = after.registrar();
        registrar = of == null ? null : new RegistrarDesk(lane, of, after.clock());
        hasLimits = after.hasLimits();
        relaysOnly = after.routing().config().rules().isEmpty()
                && after.authentication() == null
                && after.routing().config().domains().isEmpty();
    }

    @Override
    public void decide(ResponseContext context, SipMessageView request, long nowNs) {
        boolean isInDialog = request.toTagHash() != 0;
        if (isInDialog && (context.hasRoute() || context.followsOwnRoute())) {
            context.relay(nowNs);
            return;
        }
        SipHop source = context.source();
        if (!isInDialog && services.admission().isClosed()) {
            context.reply(503, "Shutting Down", "Retry-After: 10\r\n", nowNs);
            return;
        }
        boolean startsCall = request.method() == SipMethod.INVITE && !isInDialog;
        if (hasLimits && !admitsPeer(context, source, startsCall, nowNs)) {
            return;
        }
        uri.wrap(request.octets(), request.requestUriOffset(), request.requestUriLength());
        if (relaysOnly && mayRelayAtOnce(context, source)) {
            context.relay(nowNs);
            return;
        }
        SipUri target = uri.toUri();
        if (request.method() == SipMethod.REGISTER && registrar != null && isOurs(target)) {
            registrar.register(context, request, nowNs);
            return;
        }
        String trunk = services.routing().trunks().find(source.address(), listener(source));
        String user = "";
        // who says to be of our domain must prove it (RFC 3261, 22.3); others are let in by the rules
        Authentication authentication = services.authentication();
        SipUri from = SipUri.parse(request.fromUri());
        if (trunk.isEmpty() && authentication != null && isOurs(from)) {
            String realm = from.host().toLowerCase(Locale.ROOT);
            Authentication.Result result = authentication.verify(
                    context, request, realm, services.clock().millis(), nowNs);
            if (!result.isAuthentic()) {
                return;
            }
            user = result.user() + "@" + realm;
            context.requestChanges(WITHOUT_CREDENTIALS);
        }
        if (hasLimits && !user.isEmpty() && !admitsUser(context, user, startsCall, nowNs)) {
            return;
        }
        if (context.hasRoute()) {
            followRoute(context, source, trunk, user, nowNs);
            return;
        }
        route(context, request, target, trunk, user, nowNs);
    }

    private boolean mayRelayAtOnce(ResponseContext context, SipHop source) {
        return !context.hasRoute() && !identity.isOwn(uri) && relay.allowsFrom(source) && relay.allowsAddressOf(uri);
    }

    /** A Route that the sender has made up: only for those that are trusted. */
    private void followRoute(ResponseContext context, SipHop source, String trunk, String user, long nowNs) {
        if (!trunk.isEmpty() || !user.isEmpty() || relay.allowsFrom(source) && relaysOnly) {
            context.relay(nowNs);
        } else {
            context.reply(403, "Route Not Allowed", "", nowNs);
        }
    }

    /** A trunk has limits of its own in the place of those of its address. */
    private boolean admitsPeer(ResponseContext context, SipHop source, boolean startsCall, long nowNs) {
        CallCharge charge = new CallCharge(services.limits());
        IpAddress address = source.address();
        String trunk = services.routing().trunks().find(address, listener(source));
        LimitVerdict verdict;
        if (trunk.isEmpty()) {
            verdict = services.limits().source(address, startsCall, nowNs);
            charge.source(address);
        } else {
            Rates rates = services.routing().trunks().trunk(trunk).rates();
            verdict = services.limits().trunk(trunk, rates, startsCall, nowNs);
            charge.trunk(trunk);
        }
        if (startsCall && verdict == LimitVerdict.ALLOWED) {
            context.attachment(charge);
        }
        return isAllowed(context, verdict, nowNs);
    }

    private boolean admitsUser(ResponseContext context, String user, boolean startsCall, long nowNs) {
        LimitVerdict verdict = services.limits().user(user, startsCall, nowNs);
        if (verdict == LimitVerdict.ALLOWED && context.attachment() instanceof CallCharge charge) {
            charge.user(user);
        }
        return isAllowed(context, verdict, nowNs);
    }

    /** Answers a request that is beyond a limit; what it was charged for is given back when it is answered. */
    private static boolean isAllowed(ResponseContext context, LimitVerdict verdict, long nowNs) {
        if (verdict == LimitVerdict.ALLOWED) {
            return true;
        }
        if (verdict == LimitVerdict.CONCURRENT_CALLS) {
            context.reply(486, "Too Many Calls", "", nowNs);
        } else {
            context.reply(503, "Too Many Requests", "Retry-After: 1\r\n", nowNs);
        }
        return false;
    }

    private boolean isOurs(SipUri of) {
        return services.routing().domains().contains(of);
    }

    private String listener(SipHop source) {
        int number = source.listener();
        return number >= 0 && number < services.listeners().size()
                ? services.listeners().get(number)
                : "";
    }

    private void route(
            ResponseContext context, SipMessageView request, SipUri target, String trunk, String user, long nowNs) {
        SipHop source = context.source();
        RouteQuery query = new RouteQuery(
                request.methodText(),
                target,
                SipUri.parse(request.fromUri()),
                SipUri.parse(request.toUri()),
                request.callId(),
                new RouteQuery.Source(
                        source.address(), source.port(), source.transport(), listener(source), user, trunk),
                new MessageHeaders(request));
        long number = context.number();
        Thread own = Thread.currentThread();
        services.routing().route(query, decision -> {
            if (own.equals(Thread.currentThread())) {
                apply(context, query, decision, nowNs);
            } else {
                lane.execute(atNs -> {
                    if (context.isWaiting(number)) {
                        apply(context, query, decision, atNs);
                    }
                });
            }
        });
    }

    private void apply(ResponseContext context, RouteQuery query, RouteDecision decision, long nowNs) {
        routes.apply(context, query, decision, nowNs);
    }

    @Override
    public boolean needsFlowToken(SipMessageView request, SipHop source) {
        return source.transport().isReliable() || nat.isBehindNat(request, source);
    }

    @Override
    public boolean needsFlowToken(ForkTarget target, SipHop to) {
        // a target of a name or a group is where it is; a phone is where it registered from
        return target.hop() != null && target.routes().isEmpty() && target.fallback() == null;
    }

    @Override
    public @Nullable BodyRewriter bodies() {
        return media;
    }

    @Override
    public boolean mayForward(SipMessageView ack, SipHop source, boolean hasRoute) {
        uri.wrap(ack.octets(), ack.requestUriOffset(), ack.requestUriLength());
        return hasRoute || !relaysOnly || relay.allowsAddressOf(uri);
    }
}
