package io.offhook.proxy.policy;

import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.limit.BadEvent;
import io.offhook.proxy.location.Registrar;
import io.offhook.proxy.location.StoreCallback;
import io.offhook.proxy.location.StoreFailure;
import io.offhook.proxy.routing.HeaderField;
import io.offhook.proxy.routing.RouteDecision;
import io.offhook.proxy.routing.RouteQuery;
import io.offhook.sip.SipUri;
import io.offhook.sip.SipUriView;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.proxy.ResponseContext;
import io.offhook.sip.registrar.RegisteredTarget;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Does what the routing rules have decided, for one lane. */
final class RouteApplication {
    private final ProxyLane lane;
    private final PolicyServices services;
    private final RelayAccess relay;
    private final SipUriView uri = new SipUriView();

    RouteApplication(ProxyLane lane, PolicyServices services, RelayAccess relay) {
        this.lane = lane;
        this.services = services;
        this.relay = relay;
    }

    void apply(ResponseContext context, RouteQuery query, RouteDecision decision, long nowNs) {
        switch (decision) {
            case RouteDecision.Reply reply -> reply(context, query, reply, nowNs);
            case RouteDecision.Relay _ -> relay(context, query, nowNs);
            case RouteDecision.Fork fork -> fork(context, fork, nowNs);
            case RouteDecision.Local local -> find(context, local.addressOfRecord(), nowNs);
        }
    }

    private void reply(ResponseContext context, RouteQuery query, RouteDecision.Reply reply, long nowNs) {
        if (reply.status() == 403 || reply.status() == 404) {
            BadEvent event = reply.status() == 403 ? BadEvent.FORBIDDEN : BadEvent.NOT_FOUND;
            services.bans()
                    .count(
                            query.source().address(),
                            event,
                            false,
                            services.clock().millis());
        }
        StringBuilder headers = new StringBuilder();
        for (HeaderField field : reply.headers()) {
            headers.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        String reason = reply.reason().isEmpty() ? ReasonPhrases.of(reply.status()) : reply.reason();
        context.reply(reply.status(), reason, headers.toString(), nowNs);
    }

    /** By the Request-URI: only to addresses that the configuration allows, names included once they are resolved. */
    private void relay(ResponseContext context, RouteQuery query, long nowNs) {
        if (!relay.allowsFrom(context.source())) {
            forbid(context, query, nowNs);
            return;
        }
        byte[] octets = query.uri().toString().getBytes(StandardCharsets.UTF_8);
        uri.wrap(octets, 0, octets.length);
        if (relay.allowsAddressOf(uri)) {
            context.relay(nowNs);
        } else {
            forbid(context, query, nowNs);
        }
    }

    private void forbid(ResponseContext context, RouteQuery query, long nowNs) {
        services.bans()
                .count(
                        query.source().address(),
                        BadEvent.FORBIDDEN,
                        false,
                        services.clock().millis());
        context.reply(403, "Relaying Not Allowed", "", nowNs);
    }

    private static void fork(ResponseContext context, RouteDecision.Fork fork, long nowNs) {
        List<List<ForkTarget>> sets = fork.sets().stream()
                .map(set -> set.targets().stream()
                        .map(target -> ForkTarget.of(target.uri().toString()))
                        .toList())
                .toList();
        context.fork(sets, nowNs);
    }

    /** Where the user is registered. */
    private void find(ResponseContext context, SipUri wanted, long nowNs) {
        Registrar registrar = services.registrar();
        if (registrar == null) {
            context.reply(404, "Not Found", "", nowNs);
            return;
        }
        long number = context.number();
        Thread own = Thread.currentThread();
        registrar.find(wanted, services.clock().millis(), new StoreCallback<>() {
            @Override
            public void done(List<RegisteredTarget> targets) {
                if (own.equals(Thread.currentThread())) {
                    forkTo(context, targets, nowNs);
                } else {
                    lane.execute(atNs -> {
                        if (context.isWaiting(number)) {
                            forkTo(context, targets, atNs);
                        }
                    });
                }
            }

            @Override
            public void failed(StoreFailure failure) {
                lane.execute(atNs -> {
                    if (context.isWaiting(number)) {
                        context.reply(failure.status(), "Registrations Unavailable", "Retry-After: 5\r\n", atNs);
                    }
                });
            }
        });
    }

    private static void forkTo(ResponseContext context, List<RegisteredTarget> targets, long nowNs) {
        if (targets.isEmpty()) {
            context.reply(480, "Not Registered", "", nowNs);
        } else {
            context.fork(LocalTargets.of(targets), nowNs);
        }
    }
}
