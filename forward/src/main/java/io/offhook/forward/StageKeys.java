package io.offhook.forward;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.config.ConfigTypes.Rate;
import java.nio.file.Path;
import java.util.List;

/** The keys of the stages of a {@link ForwardConfig}. */
final class StageKeys {
    private static final long SECOND_NS = 1_000_000_000L;

    private StageKeys() {}

    private static ConfigKey<List<Placed<String>>> ports(String name, String description) {
        return ConfigKey.repeated(name, ForwardTypes.PORT_NAME, Forwarder.MAX_PORTS, description);
    }

    private static final ConfigSchema<StageConfig.Decode> DECODE = ConfigSchema.of(
            "decode",
            "Finds the layers of each packet once and drops broken headers. First in the list.",
            values -> new StageConfig.Decode(values.place()));

    private static final ConfigKey<FilterStage.Action> ACTION = ConfigKey.required(
            "action",
            ConfigTypes.oneOf(FilterStage.Action.class),
            "`allow` and `deny` decide, `count` goes on to the next rule.");
    private static final ConfigKey<String> MATCH =
            ConfigKey.required("match", ForwardTypes.EXPRESSION, "Which packets, as tcpdump has it.");
    private static final ConfigSchema<StageConfig.FilterRule> RULE = ConfigSchema.of(
            "rule",
            "A rule; the first that decides holds.",
            values -> new StageConfig.FilterRule(values.get(ACTION), values.get(MATCH)),
            ACTION,
            MATCH);
    private static final ConfigKey<List<StageConfig.FilterRule>> RULES =
            ConfigKey.repeated("rules", RULE, 1000, "The rules, in their order. Reloaded.");

    private enum Otherwise {
        ALLOW,
        DENY
    }

    private static final ConfigKey<Otherwise> OTHERWISE = ConfigKey.of(
            "otherwise",
            ConfigTypes.oneOf(Otherwise.class),
            "allow",
            "What becomes of packets that no rule decides on. Reloaded.");
    private static final ConfigSchema<StageConfig.Filter> FILTER = ConfigSchema.of(
            "filter",
            "Allows, denies or counts packets by filter expressions.",
            values ->
                    new StageConfig.Filter(values.get(RULES), values.get(OTHERWISE) == Otherwise.ALLOW, values.place()),
            RULES,
            OTHERWISE);

    private static final ConfigKey<List<Placed<String>>> STAGE_PORTS =
            ports("ports", "The ports it is about; all without.");
    private static final ConfigKey<Integer> TABLE_SIZE =
            ConfigKey.of("table-size", ConfigTypes.integer(8, 1 << 20), "8192", "The most entries of its table.");
    private static final ConfigKey<Long> AGEING = ConfigKey.of(
            "ageing",
            ConfigTypes.durationNs(SECOND_NS, 1_000_000 * SECOND_NS),
            "300s",
            "How long an address that was not seen is remembered.");
    private static final ConfigKey<Long> STATION = ConfigKey.required("mac", ForwardTypes.MAC, "The address.");
    private static final ConfigKey<Placed<String>> AT_PORT =
            ConfigKey.required("port", ForwardTypes.PORT_NAME, "Where it is.");
    private static final ConfigSchema<StageConfig.StaticAddress> STATIC_ADDRESS = ConfigSchema.of(
            "address",
            "An address that neither moves nor ages.",
            values -> new StageConfig.StaticAddress(values.get(STATION), values.get(AT_PORT)),
            STATION,
            AT_PORT);
    private static final ConfigKey<List<StageConfig.StaticAddress>> STATIONS =
            ConfigKey.repeated("addresses", STATIC_ADDRESS, 10_000, "Addresses that need not be learned. Reloaded.");
    private static final ConfigSchema<StageConfig.Bridge> BRIDGE = ConfigSchema.of(
            "bridge",
            "A learning bridge: sends to the port where the destination was seen, or to all others.",
            values -> new StageConfig.Bridge(
                    values.get(STAGE_PORTS),
                    values.get(TABLE_SIZE),
                    values.get(AGEING),
                    values.get(STATIONS),
                    values.place()),
            STAGE_PORTS,
            TABLE_SIZE,
            AGEING,
            STATIONS);

    private static final ConfigKey<IpPrefix> TO =
            ConfigKey.required("to", ForwardTypes.PREFIX, "The destination; `0.0.0.0/0` and `::/0` are all.");
    private static final ConfigKey<IpPrefix> VIA =
            ConfigKey.optional("via", ForwardTypes.ADDRESS, "The next hop, in the network of one of the ports.");
    private static final ConfigKey<Placed<String>> BY_PORT = ConfigKey.optional(
            "port", ForwardTypes.PORT_NAME, "The port, where the destination is on the link itself.");
    private static final ConfigKey<Boolean> REJECT =
            ConfigKey.of("reject", ConfigTypes.bool(), "false", "Refuses packets, and tells their senders.");
    private static final ConfigSchema<StageConfig.RouteConfig> ROUTE_ENTRY = ConfigSchema.of(
            "route",
            "A route: one of `via`, `port`, `reject`.",
            values -> new StageConfig.RouteConfig(
                    values.get(TO), values.find(VIA), values.find(BY_PORT), values.get(REJECT), values.place()),
            TO,
            VIA,
            BY_PORT,
            REJECT);
    private static final ConfigKey<List<StageConfig.RouteConfig>> ROUTES = ConfigKey.repeated(
            "routes", ROUTE_ENTRY, 100_000, "Routes beyond the networks of the ports' addresses. Reloaded.");
    private static final ConfigKey<IpPrefix> NEIGHBOR_ADDRESS =
            ConfigKey.required("address", ForwardTypes.ADDRESS, "Its IP address.");
    private static final ConfigKey<Long> NEIGHBOR_MAC = ConfigKey.required("mac", ForwardTypes.MAC, "Its MAC address.");
    private static final ConfigSchema<StageConfig.NeighborConfig> NEIGHBOR = ConfigSchema.of(
            "neighbor",
            "A neighbour that need not be asked for.",
            values -> new StageConfig.NeighborConfig(
                    values.get(AT_PORT), values.get(NEIGHBOR_ADDRESS), values.get(NEIGHBOR_MAC), values.place()),
            AT_PORT,
            NEIGHBOR_ADDRESS,
            NEIGHBOR_MAC);
    private static final ConfigKey<List<StageConfig.NeighborConfig>> NEIGHBORS =
            ConfigKey.repeated("neighbors", NEIGHBOR, 10_000, "Neighbours whose MAC address is known. Reloaded.");
    private static final ConfigKey<Integer> NEIGHBOR_TABLE = ConfigKey.of(
            "neighbor-table", ConfigTypes.integer(16, 65_536), "1024", "The most neighbours that are remembered.");
    private static final ConfigKey<Long> NEIGHBOR_LIFETIME = ConfigKey.of(
            "neighbor-lifetime",
            ConfigTypes.durationNs(5 * SECOND_NS, 3600 * SECOND_NS),
            "60s",
            "How long a neighbour is believed without being confirmed.");
    private static final ConfigKey<Integer> ICMP_ERRORS = ConfigKey.of(
            "icmp-errors", ConfigTypes.integer(1, 1_000_000), "100", "The most ICMP errors that are sent a second.");
    private static final ConfigSchema<StageConfig.Route> ROUTE = ConfigSchema.of(
            "route",
            "A router of IPv4 and IPv6. The addresses of its ports are its own.",
            values -> new StageConfig.Route(
                    values.get(STAGE_PORTS),
                    values.get(ROUTES),
                    values.get(NEIGHBORS),
                    values.get(NEIGHBOR_TABLE),
                    values.get(NEIGHBOR_LIFETIME),
                    values.get(ICMP_ERRORS),
                    values.place()),
            STAGE_PORTS,
            ROUTES,
            NEIGHBORS,
            NEIGHBOR_TABLE,
            NEIGHBOR_LIFETIME,
            ICMP_ERRORS);

    private static final ConfigKey<Rate> RATE = ConfigKey.required("rate", ConfigTypes.rate(), "What passes at most.");
    private static final ConfigKey<Long> BURST = ConfigKey.of(
            "burst",
            ConfigTypes.durationNs(100_000, 60 * SECOND_NS),
            "100ms",
            "What may come at once: as much as the rate gives in that time, and one packet at least.");
    private static final ConfigKey<StageConfig.LimitBy> BY = ConfigKey.of(
            "by",
            ConfigTypes.oneOf(StageConfig.LimitBy.class),
            "port",
            "Whether each port has that rate, or each source.");
    private static final ConfigKey<Integer> IPV4_PREFIX = ConfigKey.of(
            "ipv4-prefix", ConfigTypes.integer(0, 32), "32", "Bits of an IPv4 address that make a source.");
    private static final ConfigKey<Integer> IPV6_PREFIX = ConfigKey.of(
            "ipv6-prefix", ConfigTypes.integer(0, 128), "64", "Bits of an IPv6 address that make a source.");
    private static final ConfigSchema<StageConfig.RateLimit> RATE_LIMIT = ConfigSchema.of(
            "rate-limit",
            "Drops what comes faster than a rate, of packets or bits (Ethernet without check sequence).",
            values -> {
                if (values.get(BY) == StageConfig.LimitBy.PORT) {
                    for (ConfigKey<?> key : List.of(IPV4_PREFIX, IPV6_PREFIX, TABLE_SIZE)) {
                        if (values.isGiven(key)) {
                            values.fault(key, "is about sources: it needs by: source");
                        }
                    }
                }
                return new StageConfig.RateLimit(
                        values.get(STAGE_PORTS),
                        values.get(RATE),
                        values.get(BURST),
                        values.get(BY),
                        values.get(IPV4_PREFIX),
                        values.get(IPV6_PREFIX),
                        values.get(TABLE_SIZE),
                        values.place());
            },
            STAGE_PORTS,
            RATE,
            BURST,
            BY,
            IPV4_PREFIX,
            IPV6_PREFIX,
            TABLE_SIZE);

    private static final ConfigKey<String> FILE =
            ConfigKey.required("file", ConfigTypes.text(4096), "The pcapng file that is made, anew at each start.");
    private static final ConfigKey<String> MIRROR_MATCH =
            ConfigKey.optional("match", ForwardTypes.EXPRESSION, "Which packets; all without.");
    private static final ConfigKey<Integer> SNAP_LENGTH =
            ConfigKey.of("snap-length", ConfigTypes.integer(64, 65_535), "2048", "The most bytes of a packet.");
    private static final ConfigKey<Integer> QUEUE = ConfigKey.of(
            "queue", ConfigTypes.integer(16, 65_536), "1024", "Packets that wait for the disk at most, a lane.");
    private static final ConfigSchema<StageConfig.Mirror> MIRROR = ConfigSchema.of(
            "mirror",
            "Writes packets to a file, as they are at this place in the list.",
            values -> new StageConfig.Mirror(
                    Path.of(values.get(FILE)),
                    values.find(MIRROR_MATCH),
                    values.get(SNAP_LENGTH),
                    values.get(QUEUE),
                    values.place()),
            FILE,
            MIRROR_MATCH,
            SNAP_LENGTH,
            QUEUE);

    private static final ConfigKey<List<Placed<String>>> FROM = ports("from", "Packets that come from these ports.");
    private static final ConfigKey<List<Placed<String>>> TO_PORTS = ports("to", "Packets that go to these ports.");
    private static final ConfigKey<Integer> PUSHED_ID =
            ConfigKey.required("id", ConfigTypes.integer(1, 4094), "The VLAN.");
    private static final ConfigKey<Integer> PRIORITY =
            ConfigKey.of("priority", ConfigTypes.integer(0, 7), "0", "The priority code point.");
    private static final ConfigKey<Boolean> SERVICE =
            ConfigKey.of("service", ConfigTypes.bool(), "false", "A service provider's tag (802.1ad), type 0x88a8.");
    private static final ConfigSchema<StageConfig.VlanPush> VLAN_PUSH = ConfigSchema.of(
            "vlan-push",
            "Puts a VLAN tag before all others.",
            values -> new StageConfig.VlanPush(
                    values.get(FROM),
                    values.get(TO_PORTS),
                    values.get(PUSHED_ID),
                    values.get(PRIORITY),
                    values.get(SERVICE),
                    values.place()),
            FROM,
            TO_PORTS,
            PUSHED_ID,
            PRIORITY,
            SERVICE);
    private static final ConfigKey<Integer> POPPED_ID =
            ConfigKey.of("id", ConfigTypes.integer(0, 4094), "0", "The VLAN; 0 for any.");
    private static final ConfigKey<Boolean> STRICT =
            ConfigKey.of("strict", ConfigTypes.bool(), "false", "Drops packets without such a tag.");
    private static final ConfigSchema<StageConfig.VlanPop> VLAN_POP = ConfigSchema.of(
            "vlan-pop",
            "Takes the outermost VLAN tag out.",
            values -> new StageConfig.VlanPop(
                    values.get(FROM), values.get(TO_PORTS), values.get(POPPED_ID), values.get(STRICT), values.place()),
            FROM,
            TO_PORTS,
            POPPED_ID,
            STRICT);

    private static final ConfigKey<List<Placed<String>>> OUTSIDE = ConfigKey.required(
            "outside", ConfigTypes.list(ForwardTypes.PORT_NAME, Forwarder.MAX_PORTS), "The ports that are outside.");
    private static final ConfigSchema<StageConfig.Nat> NAT_DESTINATION = ConfigSchema.of(
            "nat-destination",
            "Translates destinations of what comes from outside, by `nat`; before `route`.",
            values -> new StageConfig.Nat(true, values.get(OUTSIDE), values.place()),
            OUTSIDE);
    private static final ConfigSchema<StageConfig.Nat> NAT_SOURCE = ConfigSchema.of(
            "nat-source",
            "Translates sources of what goes outside, by `nat`; behind `route`.",
            values -> new StageConfig.Nat(false, values.get(OUTSIDE), values.place()),
            OUTSIDE);

    /** One of them. */
    static final ConfigType<StageConfig> STAGE = ConfigTypes.choice(List.of(
            DECODE, FILTER, BRIDGE, ROUTE, RATE_LIMIT, MIRROR, VLAN_PUSH, VLAN_POP, NAT_DESTINATION, NAT_SOURCE));
}
