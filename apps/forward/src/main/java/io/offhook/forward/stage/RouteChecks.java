package io.offhook.forward.stage;

import io.offhook.config.ConfigTypes.Placed;
import io.offhook.forward.IpPrefix;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.forward.application.StageChecks;
import io.offhook.forward.application.StageConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks of a router's values that are valid individually: routes and neighbours must be reachable by its ports. */
final class RouteChecks {
    private final RouteStageType.Config config;
    private final StageChecks checks;
    private final List<ForwardConfig.PortConfig> own;

    RouteChecks(RouteStageType.Config config, StageChecks checks) {
        this.config = config;
        this.checks = checks;
        own = portsOf(checks.config(), config);
    }

    void check() {
        checks.known(config.ports());
        if (own.stream().allMatch(port -> port.addresses().isEmpty()) && !checks.isFaulty("ports")) {
            checks.fault("none of its ports has an address");
        }
        checks.unique(config.routes(), route -> route.to().network(), RouteStageType.RouteConfig::place, "prefix");
        checks.unique(
                config.neighbors(),
                neighbor -> neighbor.address().addressText(),
                RouteStageType.NeighborConfig::place,
                "neighbour");
        for (RouteStageType.RouteConfig route : config.routes()) {
            checkRoute(route);
        }
        for (RouteStageType.NeighborConfig neighbor : config.neighbors()) {
            if (checks.known(neighbor.port()) && portOf(named(neighbor.port()), neighbor.address()) == null) {
                checks.fault(
                        neighbor.place(),
                        neighbor.address().addressText() + " is not in a network of the router at port "
                                + neighbor.port().value());
            }
        }
    }

    private List<ForwardConfig.PortConfig> named(Placed<String> name) {
        return own.stream().filter(port -> port.name().equals(name.value())).toList();
    }

    private void checkRoute(RouteStageType.RouteConfig route) {
        if (!route.to().isNetwork()) {
            checks.fault(
                    route.place(),
                    route.to() + " has host bits; the network is " + route.to().network());
        }
        int ways = (route.via() == null ? 0 : 1) + (route.port() == null ? 0 : 1) + (route.isRejected() ? 1 : 0);
        if (ways != 1) {
            checks.fault(route.place(), "needs exactly one of via, port and reject; it has " + ways);
        }
        IpPrefix via = route.via();
        if (via != null && via.isIpv4() != route.to().isIpv4()) {
            checks.fault(route.place(), via.addressText() + " is not of the same IP version as " + route.to());
        } else if (via != null && portOf(own, via) == null && !checks.isFaulty("ports")) {
            checks.fault(route.place(), via.addressText() + " is not in a network of the router's ports");
        } else if (via != null && isOwn(via)) {
            checks.fault(route.place(), via.addressText() + " is an address of the router itself");
        }
        Placed<String> port = route.port();
        if (port != null && checks.known(port) && !checks.isFaulty("ports")) {
            List<ForwardConfig.PortConfig> by = named(port);
            boolean canAsk = by.stream()
                    .flatMap(of -> of.addresses().stream())
                    .anyMatch(address -> address.value().isIpv4() == route.to().isIpv4());
            if (by.isEmpty()) {
                checks.fault(port.place(), "port " + port.value() + " is not one of the router's");
            } else if (!canAsk) {
                checks.fault(
                        port.place(),
                        "port " + port.value() + " has no address of the same IP version as " + route.to()
                                + ", from which to ask for neighbours");
            }
        }
    }

    private boolean isOwn(IpPrefix address) {
        return own.stream()
                .flatMap(port -> port.addresses().stream())
                .anyMatch(prefix -> prefix.value().addressText().equals(address.addressText()));
    }

    static List<ForwardConfig.PortConfig> portsOf(ForwardConfig config, RouteStageType.Config stage) {
        return config.ports().stream()
                .filter(port -> StageConfig.isAbout(stage.ports(), port.name()))
                .toList();
    }

    /** The port whose network contains an address, by the longest prefix; null if there is none. */
    static ForwardConfig.@Nullable PortConfig portOf(List<ForwardConfig.PortConfig> ports, IpPrefix address) {
        ForwardConfig.PortConfig found = null;
        int longest = -1;
        for (ForwardConfig.PortConfig port : ports) {
            for (Placed<IpPrefix> prefix : port.addresses()) {
                if (prefix.value().isIpv4() == address.isIpv4()
                        && prefix.value().length() > longest
                        && prefix.value().contains(address.high(), address.low())) {
                    found = port;
                    longest = prefix.value().length();
                }
            }
        }
        return found;
    }
}
