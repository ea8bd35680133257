package io.offhook.forward;

import io.offhook.packet.VlanTag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** A stage of a configuration: what lanes share of it, an instance for each, and how its tables are exchanged. */
final class ConfiguredStage {
    private final ForwardApplication application;
    private final Supplier<Stage> maker;
    /** With the configuration before and the one to take: what each lane is to run, none where nothing changes. */
    private BiFunction<StageConfig, StageConfig, List<Runnable>> exchanger = (_, _) -> List.of();

    /** Of a filter. */
    private Supplier<List<ForwardApplication.RuleCount>> ruleCounts = List::of;
    /** Of a bridge or a router. */
    private Supplier<List<ForwardApplication.TableCount>> tableCounts = List::of;

    ConfiguredStage(ForwardApplication application, StageConfig config) {
        this.application = application;
        maker = switch (config) {
            case StageConfig.Decode _ -> DecodeStage::new;
            case StageConfig.Filter filter -> filter(filter);
            case StageConfig.Bridge bridge -> bridge(bridge);
            case StageConfig.Route route -> route(route);
            case StageConfig.RateLimit limit -> rateLimit(limit);
            case StageConfig.Mirror mirror -> mirror(mirror);
            case StageConfig.VlanPush push -> push(push);
            case StageConfig.VlanPop pop -> pop(pop);
            case StageConfig.Nat nat -> nat(nat);
        };
    }

    Stage ofALane() {
        return maker.get();
    }

    /** @return how its instance of each lane takes the tables, by the lanes' order; empty where there are none to take */
    List<Runnable> exchange(StageConfig before, StageConfig after) {
        return exchanger.apply(before, after);
    }

    List<ForwardApplication.RuleCount> ruleCounts() {
        return ruleCounts.get();
    }

    List<ForwardApplication.TableCount> tableCounts() {
        return tableCounts.get();
    }

    private static List<ForwardApplication.RuleCount> count(StageConfig.Filter filter, List<FilterStage.Rules> lanes) {
        List<ForwardApplication.RuleCount> counts = new ArrayList<>();
        for (int i = 0; i < filter.rules().size(); i++) {
            int rule = i;
            long packets =
                    lanes.stream().mapToLong(rules -> rules.matches(rule)).sum();
            StageConfig.FilterRule of = filter.rules().get(i);
            counts.add(new ForwardApplication.RuleCount(of.action(), of.expression(), packets));
        }
        return counts;
    }

    /** Filters that are interpreted are of one thread: each lane has its own. */
    private Supplier<Stage> filter(StageConfig.Filter config) {
        List<FilterStage> made = new ArrayList<>();
        List<FilterStage.Rules> first = new ArrayList<>();
        ruleCounts = () -> count(config, first);
        exchanger = (before, after) -> {
            StageConfig.Filter to = (StageConfig.Filter) after;
            StageConfig.Filter from = (StageConfig.Filter) before;
            if (to.rules().equals(from.rules()) && to.isAllowed() == from.isAllowed()) {
                return List.of(); // it counts on
            }
            List<Runnable> exchanges = new ArrayList<>();
            List<FilterStage.Rules> all = new ArrayList<>();
            for (FilterStage stage : made) {
                FilterStage.Rules rules = new FilterStage.Rules(ForwardApplication.rules(to), to.isAllowed());
                all.add(rules);
                exchanges.add(() -> stage.exchange(rules));
            }
            ruleCounts = () -> count(to, all);
            return exchanges;
        };
        return () -> {
            FilterStage.Rules rules = new FilterStage.Rules(ForwardApplication.rules(config), config.isAllowed());
            FilterStage stage = new FilterStage(rules);
            first.add(rules);
            made.add(stage);
            return stage;
        };
    }

    private Supplier<Stage> bridge(StageConfig.Bridge config) {
        long ports = application.bitsOrAll(config.ports());
        MacTable table = new MacTable(config.tableSize(), config.ageingNs());
        application.pinned(config).forEach(table::pin);
        tableCounts = () -> List.of(new ForwardApplication.TableCount("bridge", table.count(), table.evicted()));
        exchanger = (before, after) -> {
            Map<Long, Integer> pinned = application.pinned((StageConfig.Bridge) after);
            Set<Long> gone = new HashSet<>(
                    application.pinned((StageConfig.Bridge) before).keySet());
            gone.removeAll(pinned.keySet());
            gone.forEach(table::forget);
            pinned.forEach(table::pin);
            return List.of();
        };
        return () -> new BridgeStage(ports, table);
    }

    private Supplier<Stage> route(StageConfig.Route config) {
        long nowNs = application.nowNs();
        long ports = application.bitsOrAll(config.ports());
        NeighborTable neighbors = new NeighborTable(config.neighborTableSize(), config.neighborLifetimeNs(), nowNs);
        TokenBuckets errors = new TokenBuckets(1, config.icmpErrorsPerSecond(), 1_000_000_000L, nowNs);
        tableCounts = () -> List.of(new ForwardApplication.TableCount("route", neighbors.count(), neighbors.refused()));
        RouteTable table = application.routes(config);
        List<RouteStage> made = new ArrayList<>();
        exchanger = (_, after) -> {
            RouteTable to = application.routes((StageConfig.Route) after);
            return made.stream()
                    .map(stage -> (Runnable) () -> stage.exchange(to))
                    .toList();
        };
        return () -> {
            RouteStage stage =
                    new RouteStage(ports, application.linkAddresses(), application.mtus(), table, neighbors, errors);
            made.add(stage);
            return stage;
        };
    }

    private Supplier<Stage> rateLimit(StageConfig.RateLimit config) {
        long ports = application.bitsOrAll(config.ports());
        boolean isBySource = config.by() == StageConfig.LimitBy.SOURCE;
        TokenBuckets buckets = new TokenBuckets(
                isBySource ? config.tableSize() : 8 * Forwarder.MAX_PORTS,
                config.rate().perSecond(),
                config.burstNs(),
                application.nowNs());
        int ipv4 = isBySource ? config.ipv4Prefix() : -1;
        int ipv6 = isBySource ? config.ipv6Prefix() : -1;
        return () -> new RateLimitStage(ports, config.rate().isBits(), ipv4, ipv6, buckets);
    }

    private Supplier<Stage> mirror(StageConfig.Mirror config) {
        MirrorFile file = application.mirror(config);
        String expression = config.expression();
        return () -> new MirrorStage(file, expression == null ? null : ForwardApplication.filter(expression));
    }

    private Supplier<Stage> push(StageConfig.VlanPush config) {
        long from = application.bits(config.from());
        long to = application.bits(config.to());
        int type = config.isService() ? VlanTag.SERVICE : VlanTag.CUSTOMER;
        return () -> new VlanPushStage(from, to, type, config.id(), config.priority());
    }

    private Supplier<Stage> pop(StageConfig.VlanPop config) {
        long from = application.bits(config.from());
        long to = application.bits(config.to());
        return () -> new VlanPopStage(from, to, config.id(), config.isStrict());
    }

    private Supplier<Stage> nat(StageConfig.Nat config) {
        long outside = application.bits(config.outside());
        NatTable table = application.nat();
        List<NatStage> made = new ArrayList<>();
        exchanger = (_, _) -> {
            NatTable to = application.nat();
            return made.stream()
                    .map(stage -> (Runnable) () -> stage.exchange(to))
                    .toList();
        };
        return () -> {
            NatStage stage = new NatStage(config.isDestination(), outside, table);
            made.add(stage);
            return stage;
        };
    }
}
