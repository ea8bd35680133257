package io.offhook.forward.stage;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigPlace;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.forward.IpPrefix;
import io.offhook.forward.application.ForwardTypes;
import io.offhook.forward.application.StageChecks;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageRole;
import io.offhook.forward.application.StageType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code route} of a configuration: {@link RouteStage}. */
public final class RouteStageType implements StageType<RouteStageType.Config> {
    /**
     * The values of its keys.
     *
     * @param ports the ports of the router; all if empty
     * @param routes the routes, besides those to the networks of its addresses
     * @param neighbors the static neighbours
     * @param neighborTableSize the most neighbours
     * @param neighborLifetimeNs how long a neighbour is valid without confirmation, in nanoseconds
     * @param icmpErrorsPerSecond the most ICMP errors per second
     */
    public record Config(
            List<Placed<String>> ports,
            List<RouteConfig> routes,
            List<NeighborConfig> neighbors,
            int neighborTableSize,
            long neighborLifetimeNs,
            long icmpErrorsPerSecond) {}

    /**
     * A route.
     *
     * @param to the destination
     * @param via the next hop; null if the destination is on the link, or rejected
     * @param port the output port; null if {@code via} implies it, or the route rejects
     * @param isRejected whether packets to it are rejected
     * @param place its place in the file
     */
    public record RouteConfig(
            IpPrefix to,
            @Nullable IpPrefix via,
            @Nullable Placed<String> port,
            boolean isRejected,
            ConfigPlace place) {}

    /**
     * A static neighbour, whose MAC address is configured.
     *
     * @param port its port
     * @param address its address, with full length
     * @param linkAddress 48 bits
     * @param place its place in the file
     */
    public record NeighborConfig(Placed<String> port, IpPrefix address, long linkAddress, ConfigPlace place) {}

    private static final long SECOND_NS = 1_000_000_000L;

    private static final ConfigKey<List<Placed<String>>> PORTS = ForwardTypes.ports();
    private static final ConfigKey<IpPrefix> TO =
            ConfigKey.required("to", ForwardTypes.PREFIX, "The destination; `0.0.0.0/0` and `::/0` match all.");
    private static final ConfigKey<IpPrefix> VIA =
            ConfigKey.optional("via", ForwardTypes.ADDRESS, "The next hop, in the network of one of the ports.");
    private static final ConfigKey<Placed<String>> BY_PORT =
            ConfigKey.optional("port", ForwardTypes.PORT_NAME, "The output port, if the destination is on the link.");
    private static final ConfigKey<Boolean> REJECT =
            ConfigKey.of("reject", ConfigTypes.bool(), "false", "Rejects packets with an ICMP error.");
    private static final ConfigSchema<RouteConfig> ROUTE = ConfigSchema.of(
            "route",
            "A route: one of `via`, `port`, `reject`.",
            values -> new RouteConfig(
                    values.get(TO), values.find(VIA), values.find(BY_PORT), values.get(REJECT), values.place()),
            TO,
            VIA,
            BY_PORT,
            REJECT);
    private static final ConfigKey<List<RouteConfig>> ROUTES = ConfigKey.repeated(
                    "routes", ROUTE, 100_000, "Routes besides those to the networks of the ports' addresses.")
            .whileRunning();
    private static final ConfigKey<Placed<String>> AT_PORT =
            ConfigKey.required("port", ForwardTypes.PORT_NAME, "Its port.");
    private static final ConfigKey<IpPrefix> NEIGHBOR_ADDRESS =
            ConfigKey.required("address", ForwardTypes.ADDRESS, "Its IP address.");
    private static final ConfigKey<Long> NEIGHBOR_MAC = ConfigKey.required("mac", ForwardTypes.MAC, "Its MAC address.");
    private static final ConfigSchema<NeighborConfig> NEIGHBOR = ConfigSchema.of(
            "neighbor",
            "A static neighbour, which need not be resolved.",
            values -> new NeighborConfig(
                    values.get(AT_PORT), values.get(NEIGHBOR_ADDRESS), values.get(NEIGHBOR_MAC), values.place()),
            AT_PORT,
            NEIGHBOR_ADDRESS,
            NEIGHBOR_MAC);
    private static final ConfigKey<List<NeighborConfig>> NEIGHBORS = ConfigKey.repeated(
                    "neighbors", NEIGHBOR, 10_000, "Static neighbours.")
            .whileRunning();
    private static final ConfigKey<Integer> NEIGHBOR_TABLE = ConfigKey.of(
            "neighbor-table", ConfigTypes.integer(16, 65_536), "1024", "The most neighbours in the table.");
    private static final ConfigKey<Long> NEIGHBOR_LIFETIME = ConfigKey.of(
            "neighbor-lifetime",
            ConfigTypes.durationNs(5 * SECOND_NS, 3600 * SECOND_NS),
            "60s",
            "How long a neighbour is valid without confirmation.");
    private static final ConfigKey<Integer> ICMP_ERRORS = ConfigKey.of(
            "icmp-errors", ConfigTypes.integer(1, 1_000_000), "100", "The most ICMP errors sent per second.");
    private static final ConfigSchema<Config> SCHEMA = ConfigSchema.of(
            "route",
            "A router of IPv4 and IPv6. The addresses of its ports are its own.",
            values -> new Config(
                    values.get(PORTS),
                    values.get(ROUTES),
                    values.get(NEIGHBORS),
                    values.get(NEIGHBOR_TABLE),
                    values.get(NEIGHBOR_LIFETIME),
                    values.get(ICMP_ERRORS)),
            PORTS,
            ROUTES,
            NEIGHBORS,
            NEIGHBOR_TABLE,
            NEIGHBOR_LIFETIME,
            ICMP_ERRORS);

    /** For {@link java.util.ServiceLoader}. */
    public RouteStageType() {}

    @Override
    public ConfigSchema<Config> schema() {
        return SCHEMA;
    }

    @Override
    public Set<StageRole> roles() {
        return Set.of(StageRole.DECIDES, StageRole.ANSWERS);
    }

    @Override
    public List<Placed<String>> ports(Config config) {
        return config.ports();
    }

    @Override
    public void check(Config config, StageChecks checks) {
        new RouteChecks(config, checks).check();
    }

    @Override
    public StageInstances<Config> prepare(Config config, StageContext context) {
        return new RouteInstances(config, context);
    }

    @Override
    public Optional<StageInstances<Config>> rehearse(Config config, StageContext context) {
        return Optional.of(prepare(config, context));
    }
}
