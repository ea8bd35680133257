package io.offhook.proxy.routing;

import io.offhook.packet.Endpoint;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides where requests go, by the rules of a configuration that may be replaced at any time. Thread-safe: one instance serves
 * all lanes. A request that is being decided keeps the rules and routers that it began with.
 */
public final class Routing implements AutoCloseable {
    /** All that a reload replaces at once. */
    private record Current(
            RoutingConfig config,
            RouteRules rules,
            OwnDomains domains,
            TrunkTable trunks,
            Map<String, NextHopGroup> groups,
            List<NextHopGroup> allGroups,
            Map<String, CustomRouter> routers) {}

    private final List<Endpoint> own;
    private final Map<String, CustomRouter.Counters> routerCounters = new ConcurrentHashMap<>();
    private volatile Current current;

    /**
     * Begins to route.
     *
     * @param config the rules
     * @param own addresses and ports at which the proxy can be reached; URIs with them are ours
     * @throws RouterException if a jar cannot be loaded
     */
    public Routing(RoutingConfig config, List<Endpoint> own) {
        this.own = List.copyOf(own);
        current = prepared(config, Map.of());
    }

    private Current prepared(RoutingConfig config, Map<String, NextHopGroup> before) {
        Map<String, CustomRouter> routers = new HashMap<>();
        try {
            config.routers().forEach((name, router) -> routers.put(name, loaded(name, router)));
        } catch (RouterException e) {
            routers.values().forEach(CustomRouter::close);
            throw e;
        }
        Map<String, NextHopGroup> groups = new LinkedHashMap<>();
        config.groups().forEach((name, group) -> {
            NextHopGroup was = before.get(name);
            groups.put(name, was == null ? new NextHopGroup(name, group) : was.reloaded(group));
        });
        OwnDomains domains = new OwnDomains(config.domains(), own);
        return new Current(
                config,
                new RouteRules(config, domains),
                domains,
                new TrunkTable(config.trunks()),
                groups,
                List.copyOf(groups.values()),
                routers);
    }

    private CustomRouter loaded(String name, RouterConfig router) {
        return new CustomRouter(name, router, routerCounters.computeIfAbsent(name, _ -> new CustomRouter.Counters()));
    }

    /**
     * Takes another configuration. What is known of group members stays; jars are loaded anew, and the routers before are
     * closed when their last request has ended.
     *
     * @throws RouterException if a jar cannot be loaded; nothing has changed then
     */
    public synchronized void reload(RoutingConfig after) {
        Current before = current;
        current = prepared(after, before.groups());
        before.routers().values().forEach(CustomRouter::close);
    }

    /**
     * Decides where a request outside of dialogs goes.
     *
     * @param query the request
     * @param then takes the decision, once: on the caller's thread before this returns if the configuration decides, else on
     *     any other. It must neither block nor throw
     */
    public void route(RouteQuery query, Consumer<RouteDecision> then) {
        decide(current, query, 0, then);
    }

    private void decide(Current rules, RouteQuery query, int from, Consumer<RouteDecision> then) {
        RouteRules.Outcome outcome = rules.rules().decide(query, from);
        @Nullable RouteDecision decision = outcome.decision();
        if (decision != null) {
            then.accept(checked(rules, query, decision));
            return;
        }
        @Nullable CustomRouter router = rules.routers().get(outcome.router());
        if (router == null) {
            then.accept(RouteDecision.Reply.of(500));
            return;
        }
        boolean isAsked = router.ask(outcome.query(), answer -> {
            if (answer != null) {
                then.accept(checked(rules, query, answer));
            } else if (router.config().otherwise() == RouterConfig.Otherwise.NEXT_RULE) {
                decide(rules, query, outcome.next(), then);
            } else {
                then.accept(RouteDecision.Reply.of(500));
            }
        });
        if (!isAsked) {
            route(query, then); // a reload has just closed it: by the rules that are in force now
        }
    }

    /** Answers what cannot be done: groups that do not exist, and relaying for a source that is not allowed to. */
    private static RouteDecision checked(Current rules, RouteQuery query, RouteDecision decision) {
        return switch (decision) {
            case RouteDecision.Relay _ ->
                rules.config().relay().allowsFrom(query.source().address()) ? decision : RouteDecision.Reply.of(403);
            case RouteDecision.Fork fork ->
                fork.sets().stream()
                                .flatMap(set -> set.targets().stream())
                                .allMatch(target -> target.group().isEmpty()
                                        || rules.groups().containsKey(target.group()))
                        ? decision
                        : RouteDecision.Reply.of(500);
            case RouteDecision.Reply _, RouteDecision.Local _ -> decision;
        };
    }

    /** The group of a name; null if there is none, as after a reload. */
    public @Nullable NextHopGroup group(String name) {
        return current.groups().get(name);
    }

    /** All groups, for their health to be watched and shown; another list after each reload. */
    public List<NextHopGroup> groups() {
        return current.allGroups();
    }

    /** The trunks. */
    public TrunkTable trunks() {
        return current.trunks();
    }

    /** Our domains. */
    public OwnDomains domains() {
        return current.domains();
    }

    /** The configuration that is in force. */
    public RoutingConfig config() {
        return current.config();
    }

    /** How often each rule decided since the last reload, in the order of the configuration. */
    public long[] matched() {
        return current.rules().matched();
    }

    /** Requests for which there was no rule, since the last reload. */
    public long unmatched() {
        return current.rules().unmatched();
    }

    /** What became of the requests of each router, by its name, since the start. */
    public Map<String, RouterCounts> routers() {
        Map<String, RouterCounts> counts = new java.util.TreeMap<>();
        routerCounters.forEach((name, counters) -> counts.put(name, counters.counts()));
        return counts;
    }

    /** Closes the routers, each when its last request has ended. */
    @Override
    public synchronized void close() {
        current.routers().values().forEach(CustomRouter::close);
        current = prepared(
                new RoutingConfig(
                        List.of(),
                        List.of(),
                        RoutingConfig.Peers.NONE,
                        Map.of(),
                        new RelayConfig(List.of(), List.of()),
                        List.of(),
                        false),
                Map.of());
    }
}
