package io.offhook.forward.stage;

import io.offhook.config.ConfigTypes.Placed;
import io.offhook.forward.IpPrefix;
import io.offhook.forward.Stage;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.forward.application.StageConfig;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageFigure;
import io.offhook.forward.application.StageInstances;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A router of an application. Its lanes share neighbours and the limit of ICMP errors; each installs a new table on its
 * own.
 */
final class RouteInstances implements StageInstances<RouteStageType.Config> {
    private final RouteStageType.Config config;
    private final StageContext context;
    private final long ports;
    private final NeighborTable neighbors;
    private final TokenBuckets errors;
    private final RouteTable table;
    private final List<RouteStage> stages = new ArrayList<>();

    RouteInstances(RouteStageType.Config config, StageContext context) {
        this.config = config;
        this.context = context;
        long nowNs = context.nowNs();
        ports = context.portsOrAll(config.ports());
        neighbors = new NeighborTable(config.neighborTableSize(), config.neighborLifetimeNs(), nowNs);
        errors = new TokenBuckets(1, config.icmpErrorsPerSecond(), 1_000_000_000L, nowNs);
        table = table(config);
    }

    @Override
    public Stage ofALane() {
        RouteStage stage = new RouteStage(ports, context.linkAddresses(), context.mtus(), table, neighbors, errors);
        stages.add(stage);
        return stage;
    }

    /** Also called if its keys are equal, as addresses of ports and translations may differ. */
    @Override
    public List<Runnable> exchange(RouteStageType.Config before, RouteStageType.Config after) {
        RouteTable to = table(after);
        return stages.stream().map(stage -> (Runnable) () -> stage.exchange(to)).toList();
    }

    @Override
    public List<StageFigure> figures() {
        return List.of(new StageFigure.TableCount(
                "route",
                neighbors.count(),
                neighbors.refused(),
                "neighbours were refused (key neighbor-table), or arrived too fast"));
    }

    private RouteTable table(RouteStageType.Config of) {
        List<ForwardConfig.PortConfig> all = context.config().ports();
        List<RouteTable.Interface> interfaces = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if ((ports >>> i & 1) != 0) {
                for (Placed<IpPrefix> address : all.get(i).addresses()) {
                    interfaces.add(new RouteTable.Interface(i, address.value()));
                }
            }
        }
        List<RouteTable.Route> routes = new ArrayList<>();
        for (RouteStageType.RouteConfig entry : of.routes()) {
            IpPrefix via = entry.via();
            Placed<String> port = entry.port();
            int number = via != null ? gatewayPort(via) : port != null ? context.port(port.value()) : -1;
            routes.add(new RouteTable.Route(entry.to(), number, via));
        }
        List<RouteTable.Neighbor> known = new ArrayList<>();
        for (RouteStageType.NeighborConfig neighbor : of.neighbors()) {
            int number = context.port(neighbor.port().value());
            known.add(new RouteTable.Neighbor(number, neighbor.address(), neighbor.linkAddress()));
        }
        return RouteTable.of(interfaces, routes, known, translated());
    }

    private int gatewayPort(IpPrefix via) {
        ForwardConfig.PortConfig port = RouteChecks.portOf(RouteChecks.portsOf(context.config(), config), via);
        return context.port(Objects.requireNonNull(port, "no port has the network of a gateway")
                .name());
    }

    /** The outside addresses of translations in the networks of the router's ports, for which it answers as well. */
    private List<RouteTable.Interface> translated() {
        Set<RouteTable.Interface> names = new LinkedHashSet<>();
        for (StageConfig<?> stage : context.config().stages()) {
            if (stage.type() instanceof NatDestinationStageType && stage.keys() instanceof NatConfig nat) {
                nat.outside().forEach(name -> addNames(context.port(name.value()), names));
            }
        }
        return List.copyOf(names);
    }

    private void addNames(int number, Set<RouteTable.Interface> names) {
        List<ForwardConfig.PortConfig> port = List.of(context.config().ports().get(number));
        for (ForwardConfig.TranslationConfig entry : context.config().nat()) {
            long outside = (entry.translation().outside() & 0xffff_ffffL) << 32;
            IpPrefix address = new IpPrefix(outside, 0, 32, true);
            if ((ports >>> number & 1) != 0 && RouteChecks.portOf(port, address) != null) {
                names.add(new RouteTable.Interface(number, address));
            }
        }
    }
}
