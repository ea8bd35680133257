package io.offhook.proxy.policy;

import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.limit.BadEvent;
import io.offhook.proxy.location.Registrar;
import io.offhook.proxy.location.StoreCallback;
import io.offhook.proxy.location.StoreFailure;
import io.offhook.proxy.routing.HeaderField;
import io.offhook.proxy.routing.NextHopGroup;
import io.offhook.proxy.routing.RouteDecision;
import io.offhook.proxy.routing.RouteQuery;
import io.offhook.proxy.routing.Target;
import io.offhook.proxy.routing.TargetSet;
import io.offhook.sip.ReasonPhrases;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipUri;
import io.offhook.sip.SipUriView;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.proxy.HeaderChanges;
import io.offhook.sip.proxy.HopResolver;
import io.offhook.sip.proxy.ProxyPolicy;
import io.offhook.sip.proxy.ResponseContext;
import io.offhook.sip.proxy.TargetFallback;
import io.offhook.sip.registrar.RegisteredTarget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Does what the routing rules have decided, for one lane. */
final class RouteApplication {
    private final ProxyLane lane;
    private final PolicyServices services;
    private final RelayAccess relay;
    private final SenderConduct conduct;
    private final HopResolver resolver;
    private final SipUriView uri = new SipUriView();

    RouteApplication(
            ProxyLane lane, PolicyServices services, RelayAccess relay, SenderConduct conduct, HopResolver resolver) {
        this.lane = lane;
        this.resolver = resolver;
        this.services = services;
        this.relay = relay;
        this.conduct = conduct;
    }

    void apply(ResponseContext context, RouteQuery query, RouteDecision decision, long nowNs) {
        switch (decision) {
            case RouteDecision.Reply reply -> reply(context, reply, nowNs);
            case RouteDecision.Relay _ -> relay(context, query, nowNs);
            case RouteDecision.Fork fork -> fork(context, query, fork, nowNs);
            case RouteDecision.Local local -> toPhone(context, local.addressOfRecord(), nowNs);
        }
    }

    private void reply(ResponseContext context, RouteDecision.Reply reply, long nowNs) {
        conduct.countAnswer(context.source(), reply.status());
        StringBuilder headers = new StringBuilder();
        for (HeaderField field : reply.headers()) {
            headers.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        String reason = reply.reason().isEmpty() ? ReasonPhrases.of(reply.status()) : reply.reason();
        context.reply(reply.status(), reason, headers.toString(), nowNs);
    }

    /** By the Request-URI: only to addresses that the configuration allows, those of names and numbers too. */
    private void relay(ResponseContext context, RouteQuery query, long nowNs) {
        if (!relay.allowsFrom(context.source())) {
            forbid(context, nowNs);
            return;
        }
        if (services.numbers().isEnabled() && isNumber(query)) {
            long number = context.number();
            services.numbers()
                    .resolve(query.dialled())
                    .thenAccept(uris -> lane.execute(atNs -> {
                        if (context.isWaiting(number)) {
                            relayToFirst(context, uris, atNs);
                        }
                    }));
            return;
        }
        byte[] octets = query.uri().toString().getBytes(StandardCharsets.UTF_8);
        uri.wrap(octets, 0, octets.length);
        if (relay.allowsAddressOf(uri)) {
            context.relay(nowNs);
        } else if (uri.isSip() && !relay.isAddress(uri)) {
            relayToName(context, query.uri().toString(), nowNs);
        } else {
            forbid(context, nowNs);
        }
    }

    /** A telephone number that is nobody's yet: of a tel URI, or one of our domain. */
    private boolean isNumber(RouteQuery query) {
        SipUri of = query.uri();
        return query.dialled().startsWith("+")
                && (of.scheme().equals("tel") || services.routing().domains().contains(of));
    }

    /** To the best of the URIs that may be sent to (RFC 6116). */
    private void relayToFirst(ResponseContext context, List<SipUri> uris, long nowNs) {
        if (uris.isEmpty()) {
            conduct.countAnswer(context.source(), 404);
            context.reply(404, "Number Not Found", "", nowNs);
            return;
        }
        for (SipUri found : uris) {
            byte[] octets = found.toString().getBytes(StandardCharsets.UTF_8);
            uri.wrap(octets, 0, octets.length);
            boolean isAddress = relay.isAddress(uri);
            if (isAddress && relay.allowsAddressOf(uri)) {
                context.fork(List.of(List.of(ForkTarget.of(found.toString()))), nowNs);
                return;
            }
            if (!isAddress) {
                relayToName(context, found.toString(), nowNs);
                return;
            }
        }
        forbid(context, nowNs);
    }

    private void relayToName(ResponseContext context, String name, long nowNs) {
        long number = context.number();
        resolver.resolve(name, nowNs, (hops, atNs) -> {
            if (!context.isWaiting(number)) {
                return;
            }
            List<SipHop> allowed = hops.stream()
                    .filter(hop -> relay.allows(hop.high(), hop.low()))
                    .toList();
            if (!allowed.isEmpty()) {
                context.fork(List.of(List.of(ForkTarget.at(name, allowed))), atNs);
            } else if (hops.isEmpty()) {
                conduct.countAnswer(context.source(), 404);
                context.reply(404, "Domain Not Found", "", atNs);
            } else {
                forbid(context, atNs);
            }
        });
    }

    private void forbid(ResponseContext context, long nowNs) {
        conduct.count(context.source(), BadEvent.FORBIDDEN);
        context.reply(403, "Relaying Not Allowed", "", nowNs);
    }

    private void fork(ResponseContext context, RouteQuery query, RouteDecision.Fork fork, long nowNs) {
        List<List<ForkTarget>> sets = new ArrayList<>();
        int retryAfterS = 0;
        for (TargetSet set : fork.sets()) {
            List<ForkTarget> targets = new ArrayList<>();
            for (Target target : set.targets()) {
                GroupAttempts attempts = attempts(query, target);
                ForkTarget first = attempts == null ? single(query, target) : attempts.next();
                if (first != null) {
                    targets.add(first);
                } else if (attempts != null) {
                    retryAfterS = Math.max(retryAfterS, attempts.retryAfterS());
                }
            }
            if (!targets.isEmpty()) {
                sets.add(targets);
            }
        }
        if (sets.isEmpty()) {
            String headers = retryAfterS > 0 ? "Retry-After: " + retryAfterS + "\r\n" : "";
            context.reply(503, "No Next Hop Available", headers, nowNs);
            return;
        }
        String group = fork.sets().getFirst().targets().getFirst().group();
        context.responseChanges(ChangedHeaders.ofResponses(
                services.routing().config().headers(), query.method(), query.trunk(), group));
        context.fork(sets, nowNs);
    }

    private @Nullable GroupAttempts attempts(RouteQuery query, Target target) {
        NextHopGroup group =
                target.group().isEmpty() ? null : services.routing().group(target.group());
        return group == null
                ? null
                : new GroupAttempts(
                        group,
                        query.callId(),
                        target.uri(),
                        changes(query, target),
                        target.credentials(),
                        services.clock());
    }

    private ForkTarget single(RouteQuery query, Target target) {
        SipUri nextHop = target.nextHop();
        String place = nextHop == null ? "" : nextHop.toString();
        TargetFallback account = target.credentials().isEmpty() ? null : new TrunkAccounts.Single(target.credentials());
        return new ForkTarget(target.uri().toString(), List.of(), place, null, changes(query, target), account);
    }

    private HeaderChanges changes(RouteQuery query, Target target) {
        return ChangedHeaders.ofRequest(
                services.routing().config().headers(), query.method(), query.trunk(), target.group(), target.headers());
    }

    /** To where the user is registered. */
    void toPhone(ResponseContext context, SipUri wanted, long nowNs) {
        Registrar registrar = services.registrar();
        if (registrar == null) {
            context.reply(404, "Not Found", "", nowNs);
            return;
        }
        long number = context.number();
        find(registrar, wanted, nowNs, (targets, failure, atNs) -> {
            if (!context.isWaiting(number)) {
                return;
            }
            if (failure != null) {
                context.reply(failure.status(), "Registrations Unavailable", "Retry-After: 5\r\n", atNs);
            } else if (targets.isEmpty()) {
                context.reply(480, "Not Registered", "", atNs);
            } else {
                context.fork(LocalTargets.of(targets), atNs);
            }
        });
    }

    /** Finds the phone that an ACK is for. */
    void locate(SipUri wanted, long nowNs, ProxyPolicy.Located result) {
        Registrar registrar = services.registrar();
        if (registrar == null) {
            result.at(null, nowNs);
            return;
        }
        find(
                registrar,
                wanted,
                nowNs,
                (targets, _, atNs) -> result.at(
                        targets.isEmpty()
                                ? null
                                : LocalTargets.of(targets).getFirst().getFirst(),
                        atNs));
    }

    /** Receives what the registrar has found, on the thread of the lane. */
    @FunctionalInterface
    private interface Found {
        /** Called once. */
        void phones(List<RegisteredTarget> targets, @Nullable StoreFailure failure, long nowNs);
    }

    private void find(Registrar registrar, SipUri wanted, long nowNs, Found found) {
        Thread own = Thread.currentThread();
        registrar.find(wanted, services.clock().millis(), new StoreCallback<>() {
            @Override
            public void done(List<RegisteredTarget> targets) {
                if (own.equals(Thread.currentThread())) {
                    found.phones(targets, null, nowNs);
                } else {
                    lane.execute(atNs -> found.phones(targets, null, atNs));
                }
            }

            @Override
            public void failed(StoreFailure failure) {
                lane.execute(atNs -> found.phones(List.of(), failure, atNs));
            }
        });
    }
}
