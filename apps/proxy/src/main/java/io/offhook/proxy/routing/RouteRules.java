package io.offhook.proxy.routing;

import io.offhook.config.ConfigTypes.Placed;
import io.offhook.sip.SipUri;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The rules of a configuration at work: finds the first that is for a request. Immutable but for its counters. */
final class RouteRules {
    private final RoutingConfig config;
    private final OwnDomains domains;
    private final LongAdder[] matched;
    private final LongAdder unmatched = new LongAdder();

    /**
     * What the rules say.
     *
     * @param decision where the request goes; null if a router is to be asked
     * @param router the router; "" if there is a decision
     * @param query the request, as the router is to see it
     * @param next the rule at which to go on if the router has no answer
     */
    record Outcome(@Nullable RouteDecision decision, String router, RouteQuery query, int next) {}

    RouteRules(RoutingConfig config, OwnDomains domains) {
        this.config = config;
        this.domains = domains;
        matched = new LongAdder[config.rules().size()];
        for (int i = 0; i < matched.length; i++) {
            matched[i] = new LongAdder();
        }
    }

    /** Looks at the rules from an index on. */
    Outcome decide(RouteQuery query, int from) {
        boolean isToUs = domains.contains(query.uri());
        List<RouteRule> rules = config.rules();
        for (int i = from, count = rules.size(); i < count; i++) {
            RouteRule rule = rules.get(i);
            if (!rule.match().matchesBesideUser(query, isToUs)) {
                continue;
            }
            UserPattern pattern = rule.match().user();
            UserPattern.Match match = pattern == null ? null : pattern.match(query.dialled());
            if (pattern == null || match != null) {
                matched[i].increment();
                return apply(rule, query, match, i + 1);
            }
        }
        unmatched.increment();
        return decided(isToUs ? new RouteDecision.Local(query.uri()) : new RouteDecision.Relay(), query);
    }

    private static Outcome decided(RouteDecision decision, RouteQuery query) {
        return new Outcome(decision, "", query, 0);
    }

    private static Outcome apply(RouteRule rule, RouteQuery query, UserPattern.@Nullable Match match, int next) {
        SipUri uri = rule.rewrite().apply(query.uri(), match);
        Placed<String> named = rule.credentials();
        String credentials = named == null ? "" : named.value();
        return switch (rule.then()) {
            case RouteAction.Answer answer ->
                decided(new RouteDecision.Reply(answer.status(), answer.reason(), List.of()), query);
            case RouteAction.Locate _ -> decided(new RouteDecision.Local(uri), query);
            case RouteAction.RelayOn _ -> decided(relay(rule, query, uri, credentials), query);
            case RouteAction.ToGroup to ->
                decided(
                        RouteDecision.Fork.to(new Target(uri, null, to.group().value(), rule.headers(), credentials)),
                        query);
            case RouteAction.ToTargets to -> decided(fork(to, uri, rule.headers(), credentials), query);
            case RouteAction.Ask ask -> new Outcome(null, ask.router().value(), query.withUri(uri), next);
        };
    }

    /** What is relayed must go where it says; if a rule changed anything, it is a fork of one. */
    private static RouteDecision relay(RouteRule rule, RouteQuery query, SipUri uri, String credentials) {
        return uri.equals(query.uri()) && rule.headers().isEmpty() && credentials.isEmpty()
                ? new RouteDecision.Relay()
                : RouteDecision.Fork.to(new Target(uri, null, "", rule.headers(), credentials));
    }

    private static RouteDecision fork(
            RouteAction.ToTargets to, SipUri uri, List<HeaderChange> headers, String credentials) {
        List<TargetSet> sets = new ArrayList<>();
        for (List<SipUri> set : to.sets()) {
            sets.add(new TargetSet(set.stream()
                    .map(target -> new Target(withUser(target, uri), null, "", headers, credentials))
                    .toList()));
        }
        return new RouteDecision.Fork(sets);
    }

    private static SipUri withUser(SipUri target, SipUri dialled) {
        return target.user().isEmpty()
                ? new SipUri(
                        target.scheme(),
                        dialled.user(),
                        "",
                        target.host(),
                        target.port(),
                        target.parameters(),
                        target.headers())
                : target;
    }

    /** How often each rule was the first that was for a request. */
    long[] matched() {
        long[] counts = new long[matched.length];
        java.util.Arrays.setAll(counts, i -> matched[i].sum());
        return counts;
    }

    long unmatched() {
        return unmatched.sum();
    }
}
