package io.offhook.proxy.policy;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.book.CallCharge;
import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.limit.BadEvent;
import io.offhook.proxy.limit.LimitVerdict;
import io.offhook.proxy.limit.RequestLimits;
import io.offhook.proxy.location.Registrar;
import io.offhook.proxy.media.MediaCalls;
import io.offhook.proxy.media.MediaRelay;
import io.offhook.proxy.routing.RouteQuery;
import io.offhook.proxy.routing.RoutingConfig;
import io.offhook.proxy.routing.TrunkTable;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipUri;
import io.offhook.sip.SipUriView;
import io.offhook.sip.digest.DigestClient;
import io.offhook.sip.digest.DigestCredentials;
import io.offhook.sip.digest.DigestVerdict;
import io.offhook.sip.proxy.BodyRewriter;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.proxy.HeaderChanges;
import io.offhook.sip.proxy.HopResolver;
import io.offhook.sip.proxy.ProxyIdentity;
import io.offhook.sip.proxy.ProxyPolicy;
import io.offhook.sip.proxy.ResponseContext;
import io.offhook.sip.transaction.MessageFault;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one lane.
 *
 * <pre>
 *  new, and messages wait too long     503
 *  in a dialog, by its signed Route    relayed
 *  above a limit                       503, 486
 *  REGISTER of our domain              credentials, registrar
 *  from a user of our domain           credentials
 *  by the rules                        answered, relayed, sent to targets, or to where the user is registered
 * </pre>
 */
public final class LanePolicy implements ProxyPolicy {
    /** Credentials are for us; others could replay them (RFC 3261, 22.3). */
    private static final HeaderChanges WITHOUT_CREDENTIALS = new HeaderChanges(Set.of("Proxy-Authorization"), "");

    private static final String NOBODY = "";
    /** The parameter that makes a URI a GRUU (RFC 5627, 3). */
    private static final byte[] GRUU = {'g', 'r'};

    private final ProxyLane lane;
    private final ProxyIdentity identity;
    private final HopResolver resolver;
    private final SourceNat nat = new SourceNat();
    private final TrunkAccounts accounts = new TrunkAccounts();
    private final SipUriView uri = new SipUriView();
    private final @Nullable MediaCalls media;
    private Rules rules;

    /** What a reload replaces, as a whole; a request that waits for a decision keeps what it began with. */
    private record Rules(
            PolicyServices services,
            RelayAccess relay,
            RouteApplication routes,
            SenderConduct conduct,
            @Nullable RegistrarDesk registrar,
            boolean relaysOnly) {
        static Rules of(PolicyServices services, ProxyLane lane, HopResolver resolver) {
            RoutingConfig routing = services.routing().config();
            RelayAccess relay = new RelayAccess(routing.relay());
            SenderConduct conduct = new SenderConduct(services.bans(), services.clock());
            Registrar registrar = services.registrar();
            return new Rules(
                    services,
                    relay,
                    new RouteApplication(lane, services, relay, conduct, resolver),
                    conduct,
                    registrar == null ? null : new RegistrarDesk(lane, registrar, conduct, services.clock()),
                    routing.rules().isEmpty()
                            && services.authentication() == null
                            && routing.domains().isEmpty());
        }

        boolean isOurs(SipUri of) {
            return services.routing().domains().contains(of);
        }

        String listener(SipHop source) {
            int number = source.listener();
            List<String> names = services.listeners();
            return number >= 0 && number < names.size() ? names.get(number) : "";
        }
    }

    /** Creates the policy of a lane; the identity is its own. */
    public LanePolicy(ProxyLane lane, PolicyServices services, ProxyIdentity identity, HopResolver resolver) {
        this.lane = lane;
        this.resolver = resolver;
        this.identity = identity;
        rules = Rules.of(services, lane, resolver);
        accounts.configure(services.accounts());
        MediaRelay engines = services.media();
        media = engines == null ? null : new MediaCalls(engines, new MediaChoice(engines, services), lane::execute);
    }

    /** Takes what another configuration has made; on the lane's thread. */
    public void configure(PolicyServices after) {
        rules = Rules.of(after, lane, resolver);
        accounts.configure(after.accounts());
    }

    /** Under overload, before anything is kept of a request. */
    @Override
    public int retryAfterS(SipMessageView request, boolean isInDialog, long transaction, long nowNs) {
        return lane.overload().retryAfterS(request.method(), isInDialog, transaction);
    }

    @Override
    public boolean isRefusing() {
        return lane.overload().isRefusing();
    }

    @Override
    public void decide(ResponseContext context, SipMessageView request, long nowNs) {
        Rules now = rules;
        boolean isInDialog = request.toTagHash() != 0;
        if (isInDialog && context.followsOwnRoute()) {
            context.requestChanges(changesOf(request));
            if (!context.hasRoute() && context.target(uri) && needsLocation(uri)) {
                now.routes().toPhone(context, uri.toUri(), nowNs);
            } else {
                context.relay(nowNs);
            }
            return;
        }
        SipHop source = context.source();
        if (!isInDialog && now.services().admission().isClosed()) {
            context.reply(503, "Shutting Down", "Retry-After: 10\r\n", nowNs);
            return;
        }
        boolean startsCall = request.method() == SipMethod.INVITE && !isInDialog;
        boolean hasLimits = now.services().hasLimits();
        // a reload may exchange the table meanwhile
        TrunkTable trunks = now.services().routing().trunks();
        if (hasLimits && !admitsPeer(now, trunks, context, startsCall, nowNs)) {
            return;
        }
        if (!context.target(uri)) {
            context.reply(400, "Bad Request-URI", "", nowNs);
            return;
        }
        if (now.relaysOnly() && mayRelayAtOnce(now, context, source)) {
            context.relay(nowNs);
            return;
        }
        if (now.conduct().isScanner(source, request)) {
            context.reply(403, "Forbidden", "", nowNs);
            return;
        }
        SipUri target = uri.toUri();
        RegistrarDesk registrar = now.registrar();
        if (request.method() == SipMethod.REGISTER && registrar != null && now.isOurs(target)) {
            registrar.register(context, request, nowNs);
            return;
        }
        String trunk = trunks.find(source.address(), now.listener(source));
        SipUri from = SipUri.parse(request.fromUri());
        String user = trunk.isEmpty() ? authenticated(now, context, request, from, nowNs) : NOBODY;
        if (user == null || hasLimits && !user.isEmpty() && !admitsUser(now, context, user, startsCall, nowNs)) {
            return;
        }
        if (context.hasRoute()) {
            followRoute(now, context, trunk, user, nowNs);
            return;
        }
        route(now, context, request, target, trunk, user, nowNs);
    }

    /**
     * Who says to be of our domain must prove it (RFC 3261, 22.3); others are let in by the rules.
     *
     * @return the user, as {@code name@realm}; {@link #NOBODY} if nobody was asked; null if the request has been answered
     */
    private @Nullable String authenticated(
            Rules now, ResponseContext context, SipMessageView request, SipUri from, long nowNs) {
        Authentication authentication = now.services().authentication();
        if (authentication == null || !now.isOurs(from)) {
            return NOBODY;
        }
        String realm = from.host().toLowerCase(Locale.ROOT);
        DigestVerdict verdict = authentication.verify(
                context, request, realm, now.services().clock().millis(), nowNs);
        now.conduct().credentials(context.source(), verdict);
        if (!verdict.isAuthentic()) {
            return null;
        }
        context.requestChanges(WITHOUT_CREDENTIALS);
        return verdict.username() + "@" + realm;
    }

    private boolean mayRelayAtOnce(Rules now, ResponseContext context, SipHop source) {
        RelayAccess relay = now.relay();
        return !context.hasRoute() && !identity.isOwn(uri) && relay.allowsFrom(source) && relay.allowsAddressOf(uri);
    }

    /** Where there are no rules, by a Route as by the Request-URI. */
    private boolean mayFollow(Rules now, ResponseContext context) {
        return now.relaysOnly()
                && now.relay().allowsFrom(context.source())
                && context.nextHop(uri)
                && now.relay().allowsAddressOf(uri);
    }

    /** A Route that the sender has made up: only for those that are trusted. */
    private void followRoute(Rules now, ResponseContext context, String trunk, String user, long nowNs) {
        boolean isTrusted = !trunk.isEmpty() || !user.isEmpty();
        if (isTrusted || mayFollow(now, context)) {
            context.relay(nowNs);
        } else {
            now.conduct().count(context.source(), BadEvent.FORBIDDEN);
            context.reply(403, "Route Not Allowed", "", nowNs);
        }
    }

    /** A trunk has limits of its own in the place of those of its address. */
    private static boolean admitsPeer(
            Rules now, TrunkTable trunks, ResponseContext context, boolean startsCall, long nowNs) {
        RequestLimits limits = now.services().limits();
        CallCharge charge = new CallCharge(limits);
        IpAddress address = context.source().address();
        String trunk = trunks.find(address, now.listener(context.source()));
        LimitVerdict verdict;
        if (trunk.isEmpty()) {
            verdict = limits.source(address, startsCall, nowNs);
            charge.source(address);
        } else {
            verdict = limits.trunk(trunk, trunks.trunk(trunk).rates(), startsCall, nowNs);
            charge.trunk(trunk);
        }
        if (startsCall && verdict == LimitVerdict.ALLOWED) {
            context.attachment(charge);
        }
        return isAllowed(now, context, verdict, nowNs);
    }

    private static boolean admitsUser(Rules now, ResponseContext context, String user, boolean startsCall, long nowNs) {
        LimitVerdict verdict = now.services().limits().user(user, startsCall, nowNs);
        if (verdict == LimitVerdict.ALLOWED && context.attachment() instanceof CallCharge charge) {
            charge.user(user);
        }
        return isAllowed(now, context, verdict, nowNs);
    }

    /** Answers a request that is beyond a limit; what it was charged for is given back when it is answered. */
    private static boolean isAllowed(Rules now, ResponseContext context, LimitVerdict verdict, long nowNs) {
        if (verdict == LimitVerdict.ALLOWED) {
            return true;
        }
        if (verdict == LimitVerdict.CONCURRENT_CALLS) {
            context.reply(486, "Too Many Calls", "", nowNs);
        } else {
            now.conduct().count(context.source(), BadEvent.TOO_MANY);
            context.reply(503, "Too Many Requests", "Retry-After: 1\r\n", nowNs);
        }
        return false;
    }

    private void route(
            Rules now,
            ResponseContext context,
            SipMessageView request,
            SipUri target,
            String trunk,
            String user,
            long nowNs) {
        SipHop source = context.source();
        RouteQuery query = RouteQuery.of(
                request,
                target,
                new RouteQuery.Source(
                        source.address(), source.port(), source.transport(), now.listener(source), user, trunk));
        long number = context.number();
        Thread own = Thread.currentThread();
        now.services().routing().route(query, decision -> {
            if (own.equals(Thread.currentThread())) {
                now.routes().apply(context, query, decision, nowNs);
            } else {
                lane.execute(atNs -> {
                    if (context.isWaiting(number)) {
                        now.routes().apply(context, query, decision, atNs);
                    }
                });
            }
        });
    }

    @Override
    public void rejected(SipHop source, MessageFault fault) {
        rules.conduct().count(source, BadEvent.MALFORMED);
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

    /** The other side could guess the password by what answers our challenge. */
    @Override
    public HeaderChanges changesOf(SipMessageView request) {
        int line = rules.services().authentication() == null ? -1 : request.find(SipHeader.PROXY_AUTHORIZATION, 0);
        if (line < 0) {
            return HeaderChanges.NONE;
        }
        DigestCredentials credentials = DigestCredentials.parse(request.value(line));
        boolean isForUs =
                credentials != null && rules.services().routing().domains().containsHost(credentials.realm());
        return isForUs ? WITHOUT_CREDENTIALS : HeaderChanges.NONE;
    }

    @Override
    public boolean needsLocation(SipUriView of) {
        return of.isSip() && of.find(GRUU) && rules.services().registrar() != null && rules.isOurs(of.toUri());
    }

    @Override
    public void locate(SipUri of, long nowNs, Located result) {
        rules.routes().locate(of, nowNs, result);
    }

    @Override
    public @Nullable BodyRewriter bodies() {
        return media;
    }

    @Override
    public @Nullable DigestClient account(ResponseContext context, @Nullable ForkTarget target, SipHop place) {
        return accounts.find(context, target, place);
    }

    @Override
    public boolean mayForward(SipMessageView request, SipHop source, boolean hasRoute, boolean followsOwnRoute) {
        if (followsOwnRoute || hasRoute) {
            return followsOwnRoute;
        }
        return request.requestUri(uri)
                && rules.relay().allowsFrom(source)
                && rules.relay().allowsAddressOf(uri);
    }
}
