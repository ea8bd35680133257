package io.offhook.proxy.routing;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigReader;
import io.offhook.config.ConfigSchema;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUri;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Requests and configurations for tests of routing. */
final class Queries {
    static final List<Endpoint> OWN = List.of(Endpoint.of("192.0.2.1", 5060));
    private static final ConfigSchema<RoutingConfig> SCHEMA = ConfigSchema.of(
            "routing", "For tests.", RoutingConfig::of, RoutingConfig.keys().toArray(ConfigKey<?>[]::new));

    private Queries() {}

    static ConfigReader<RoutingConfig> reader() {
        return ConfigReader.of(SCHEMA)
                .check((config, faults) -> RoutingChecks.check(config, List.of("inside", "outside"), faults));
    }

    static RoutingConfig config(String yaml) {
        return reader().read(yaml, "r.yaml");
    }

    static RouteQuery invite(String uri) {
        return query("INVITE", uri, "sip:alice@example.org", "203.0.113.5", "");
    }

    static RouteQuery query(String method, String uri, String from, String source, String trunk) {
        return new RouteQuery(
                method,
                SipUri.parse(uri),
                SipUri.parse(from),
                SipUri.parse(uri),
                "call-1",
                new RouteQuery.Source(
                        Objects.requireNonNull(IpAddress.parse(source)), 5060, SipTransport.UDP, "outside", "", trunk),
                RouteQuery.Headers.NONE);
    }

    static RouteQuery withHeaders(RouteQuery query, RouteQuery.Headers headers) {
        return new RouteQuery(
                query.method(), query.uri(), query.from(), query.to(), query.callId(), query.source(), headers);
    }

    /** The decision, which may come from another thread. */
    static RouteDecision decide(Routing routing, RouteQuery query) throws Exception {
        return begin(routing, query).get(20, TimeUnit.SECONDS);
    }

    static CompletableFuture<RouteDecision> begin(Routing routing, RouteQuery query) {
        CompletableFuture<RouteDecision> decision = new CompletableFuture<>();
        routing.route(query, decision::complete);
        return decision;
    }

    /** A short text of a decision, to compare. */
    static String text(RouteDecision decision) {
        return switch (decision) {
            case RouteDecision.Reply reply ->
                "reply " + reply.status() + (reply.reason().isEmpty() ? "" : " " + reply.reason());
            case RouteDecision.Relay _ -> "relay";
            case RouteDecision.Local local -> "local " + local.addressOfRecord();
            case RouteDecision.Fork fork ->
                String.join(
                        " then ",
                        fork.sets().stream()
                                .map(set -> String.join(
                                        " and ",
                                        set.targets().stream()
                                                .map(Queries::text)
                                                .toList()))
                                .toList());
        };
    }

    private static String text(Target target) {
        return target.uri() + (target.group().isEmpty() ? "" : " by " + target.group());
    }
}
