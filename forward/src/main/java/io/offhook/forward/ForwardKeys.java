package io.offhook.forward;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigType;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.config.ConfigTypes.Rate;
import io.offhook.filter.FilterCompiler;
import io.offhook.filter.FilterException;
import io.offhook.live.IdleStrategy;
import io.offhook.packet.LinkType;
import io.offhook.packet.MacAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The keys of a {@link ForwardConfig}. */
final class ForwardKeys {
    private static final long SECOND_NS = 1_000_000_000L;

    private static final ConfigType<String> NAME = ConfigTypes.scalar("name, letters, digits, - and _", text -> {
        if (!text.matches("[A-Za-z0-9_-]{1,32}")) {
            throw new IllegalArgumentException("\"" + text + "\" is no name of 1 to 32 letters, digits, - and _");
        }
        return text;
    });
    private static final ConfigType<Placed<String>> PORT_NAME = ConfigTypes.placed(NAME);
    private static final ConfigType<IpPrefix> PREFIX =
            ConfigTypes.scalar("prefix, such as 192.0.2.0/24 or 2001:db8::/32", IpPrefix::parse);
    private static final ConfigType<IpPrefix> ADDRESS = ConfigTypes.scalar("IPv4 or IPv6 address", text -> {
        if (text.indexOf('/') >= 0) {
            throw new IllegalArgumentException("\"" + text + "\" is a prefix and should be an address");
        }
        return IpPrefix.parse(text);
    });
    private static final ConfigType<Integer> IPV4 = ConfigTypes.scalar("IPv4 address", text -> {
        IpPrefix address = IpPrefix.parse(text);
        if (!address.isIpv4() || address.length() != 32 || text.indexOf('/') >= 0) {
            throw new IllegalArgumentException("\"" + text + "\" is no IPv4 address");
        }
        return (int) (address.high() >>> 32);
    });
    private static final ConfigType<Long> MAC = ConfigTypes.scalar("MAC address", text -> {
        long address;
        try {
            address = MacAddress.parse(text.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + text + "\" is not like 02:00:5e:10:00:01", e);
        }
        if (address == 0 || EthernetFrames.isMulticast(address)) {
            throw new IllegalArgumentException("\"" + text + "\" is no address of one station");
        }
        return address;
    });
    private static final ConfigType<String> EXPRESSION = ConfigTypes.scalar("filter expression", text -> {
        try {
            FilterCompiler.compile(text, LinkType.ETHERNET, FilterCompiler.DEFAULT_SNAP_LENGTH);
        } catch (FilterException e) {
            String where = e.offset() < 0 ? "" : ", at character " + (e.offset() + 1);
            throw new IllegalArgumentException("\"" + text + "\": " + e.reason() + where, e);
        }
        return text;
    });

    private ForwardKeys() {}

    private static ConfigKey<List<Placed<String>>> ports(String name, String description) {
        return ConfigKey.repeated(name, PORT_NAME, Forwarder.MAX_PORTS, description);
    }

    // ---- ports and lanes

    private static final ConfigKey<String> PORT = ConfigKey.required("name", NAME, "What the port is called here.");
    private static final ConfigKey<ForwardConfig.Backend> BACKEND =
            ConfigKey.of("backend", ConfigTypes.oneOf(ForwardConfig.Backend.class), "afpacket", "How it is driven.");
    private static final ConfigKey<Placed<String>> INTERFACE = ConfigKey.required(
            "interface",
            ConfigTypes.placed(ConfigTypes.text(200)),
            "The network interface, as `ip link` has it; of `dpdk` the device: `0000:03:00.0`, `net_af_packet0,iface=eth1`.");
    private static final ConfigKey<Integer> RING = ConfigKey.of(
            "ring",
            ConfigTypes.integer(64, 65_536),
            "2048",
            "Frames that each lane's receive ring holds; of `xdp` rounded down to a power of two.");
    private static final ConfigKey<Boolean> PROMISCUOUS = ConfigKey.of(
            "promiscuous", ConfigTypes.bool(), "false", "Takes frames for other machines too; a bridge needs it.");
    private static final ConfigKey<List<Placed<IpPrefix>>> ADDRESSES = ConfigKey.repeated(
            "addresses",
            ConfigTypes.placed(PREFIX),
            64,
            "The router's addresses there, with the lengths of their networks.");

    private static final ConfigSchema<ForwardConfig.PortConfig> PORT_SECTION = ConfigSchema.of(
            "port",
            "A port. Merging of packets is to be off on its interface: `ethtool -K IF gro off lro off`.",
            values -> new ForwardConfig.PortConfig(
                    values.get(PORT),
                    values.get(BACKEND),
                    values.get(INTERFACE),
                    values.get(RING),
                    values.get(PROMISCUOUS),
                    values.get(ADDRESSES),
                    values.place()),
            PORT,
            BACKEND,
            INTERFACE,
            RING,
            PROMISCUOUS,
            ADDRESSES);

    private static final ConfigKey<Integer> CORE = ConfigKey.optional(
            "core", ConfigTypes.integer(0, 8191), "The processor that it is pinned to; any without.");
    private static final ConfigKey<List<Placed<String>>> LANE_PORTS = ConfigKey.required(
            "ports", ConfigTypes.list(PORT_NAME, Forwarder.MAX_PORTS), "The ports that it reads from.");

    private static final ConfigSchema<ForwardConfig.LaneConfig> LANE_SECTION = ConfigSchema.of(
            "lane",
            "A lane: a thread that reads from some ports and sends by all. Several may read from one port.",
            values -> {
                Integer core = values.find(CORE);
                return new ForwardConfig.LaneConfig(core == null ? -1 : core, values.get(LANE_PORTS), values.place());
            },
            CORE,
            LANE_PORTS);

    private static final ConfigKey<Boolean> HUGE =
            ConfigKey.of("huge", ConfigTypes.bool(), "true", "Memory of huge pages; network cards need it.");
    private static final ConfigKey<Long> MEMORY = ConfigKey.of(
            "memory", ConfigTypes.bytes(16L << 20, 1L << 40), "1GiB", "Memory for pools and queues, in whole MiB.");
    private static final ConfigKey<Integer> MBUFS =
            ConfigKey.of("mbufs", ConfigTypes.integer(255, 1 << 24), "16383", "Buffers that all ports share.");
    private static final ConfigKey<Integer> MBUF_SIZE = ConfigKey.of(
            "mbuf-size",
            ConfigTypes.integer(1600, 65_407),
            "2048",
            "The longest packet that one holds, in bytes; longer ones are lost.");
    private static final ConfigKey<String> LCORES =
            ConfigKey.optional("lcores", ConfigTypes.text(200), "As `--lcores` takes them.");
    private static final ConfigKey<List<String>> PCI = ConfigKey.repeated(
            "pci", ConfigTypes.text(200), 64, "PCI devices to use; all that are bound to a driver of DPDK without.");
    private static final ConfigKey<List<String>> ARGUMENTS =
            ConfigKey.repeated("arguments", ConfigTypes.text(1000), 64, "Other arguments of EAL, as they are.");
    private static final ConfigSchema<ForwardConfig.DpdkConfig> DPDK_SECTION = ConfigSchema.of(
            "dpdk",
            "How DPDK is started, where a port is driven by it.",
            values -> {
                String lcores = values.find(LCORES);
                return new ForwardConfig.DpdkConfig(
                        values.get(HUGE),
                        values.get(MEMORY),
                        values.get(MBUFS),
                        values.get(MBUF_SIZE),
                        lcores == null ? "" : lcores,
                        values.get(PCI),
                        values.get(ARGUMENTS));
            },
            HUGE,
            MEMORY,
            MBUFS,
            MBUF_SIZE,
            LCORES,
            PCI,
            ARGUMENTS);

    private static final ConfigKey<Long> INTERVAL = ConfigKey.of(
            "interval",
            ConfigTypes.durationNs(SECOND_NS / 10, 3600 * SECOND_NS),
            "1s",
            "How often figures are printed.");
    private static final ConfigSchema<ForwardConfig.StatisticsConfig> STATISTICS_SECTION = ConfigSchema.of(
            "statistics",
            "What is printed while it runs.",
            values -> new ForwardConfig.StatisticsConfig(values.get(INTERVAL)),
            INTERVAL);

    // ---- stages

    private static final ConfigSchema<StageConfig.Decode> DECODE = ConfigSchema.of(
            "decode",
            "Finds the layers of each packet once and drops broken headers. First in the list.",
            values -> new StageConfig.Decode(values.place()));

    private static final ConfigKey<FilterStage.Action> ACTION = ConfigKey.required(
            "action",
            ConfigTypes.oneOf(FilterStage.Action.class),
            "`allow` and `deny` decide, `count` goes on to the next rule.");
    private static final ConfigKey<String> MATCH =
            ConfigKey.required("match", EXPRESSION, "Which packets, as tcpdump has it.");
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
    private static final ConfigKey<Long> STATION = ConfigKey.required("mac", MAC, "The address.");
    private static final ConfigKey<Placed<String>> AT_PORT = ConfigKey.required("port", PORT_NAME, "Where it is.");
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
            ConfigKey.required("to", PREFIX, "The destination; `0.0.0.0/0` and `::/0` are all.");
    private static final ConfigKey<IpPrefix> VIA =
            ConfigKey.optional("via", ADDRESS, "The next hop, in the network of one of the ports.");
    private static final ConfigKey<Placed<String>> BY_PORT =
            ConfigKey.optional("port", PORT_NAME, "The port, where the destination is on the link itself.");
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
            ConfigKey.required("address", ADDRESS, "Its IP address.");
    private static final ConfigKey<Long> NEIGHBOR_MAC = ConfigKey.required("mac", MAC, "Its MAC address.");
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
            "What may come at once: as much as the rate gives in that time.");
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
            values -> new StageConfig.RateLimit(
                    values.get(STAGE_PORTS),
                    values.get(RATE),
                    values.get(BURST),
                    values.get(BY),
                    values.get(IPV4_PREFIX),
                    values.get(IPV6_PREFIX),
                    values.get(TABLE_SIZE),
                    values.place()),
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
            ConfigKey.optional("match", EXPRESSION, "Which packets; all without.");
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
            "outside", ConfigTypes.list(PORT_NAME, Forwarder.MAX_PORTS), "The ports that are outside.");
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

    // ---- translations

    private enum Protocol {
        ANY,
        TCP,
        UDP
    }

    private static final ConfigKey<Integer> NAT_OUTSIDE =
            ConfigKey.required("outside", IPV4, "What it is called outside.");
    private static final ConfigKey<Integer> NAT_INSIDE = ConfigKey.required("inside", IPV4, "What it is inside.");
    private static final ConfigKey<Protocol> PROTOCOL = ConfigKey.of(
            "protocol",
            ConfigTypes.oneOf(Protocol.class),
            "any",
            "`tcp` and `udp` translate one port, `any` the whole address.");
    private static final ConfigKey<Integer> OUTSIDE_PORT =
            ConfigKey.optional("outside-port", ConfigTypes.integer(1, 65_535), "The port outside.");
    private static final ConfigKey<Integer> INSIDE_PORT =
            ConfigKey.optional("inside-port", ConfigTypes.integer(1, 65_535), "The port inside; the same without.");
    private static final ConfigSchema<ForwardConfig.TranslationConfig> TRANSLATION = ConfigSchema.of(
            "translation",
            "A static translation of an IPv4 address, or of one port of it.",
            values -> {
                Protocol protocol = values.get(PROTOCOL);
                Integer outsidePort = values.find(OUTSIDE_PORT);
                Integer insidePort = values.find(INSIDE_PORT);
                if (protocol == Protocol.ANY && (outsidePort != null || insidePort != null)) {
                    values.fault(PROTOCOL, "is any: ports need tcp or udp");
                } else if (protocol != Protocol.ANY && outsidePort == null) {
                    values.fault(OUTSIDE_PORT, "is missing; " + protocol.name().toLowerCase(Locale.ROOT) + " needs it");
                }
                int number = protocol == Protocol.TCP ? NatTable.TCP : protocol == Protocol.UDP ? NatTable.UDP : 0;
                int from = number == 0 || outsidePort == null ? 0 : outsidePort;
                int to = number == 0 ? 0 : insidePort == null ? from : insidePort;
                return new ForwardConfig.TranslationConfig(
                        new NatTable.Translation(values.get(NAT_OUTSIDE), values.get(NAT_INSIDE), number, from, to),
                        values.place());
            },
            NAT_OUTSIDE,
            NAT_INSIDE,
            PROTOCOL,
            OUTSIDE_PORT,
            INSIDE_PORT);

    // ---- all of it

    private static final ConfigKey<List<ForwardConfig.PortConfig>> PORTS = ConfigKey.required(
            "ports", ConfigTypes.list(PORT_SECTION, Forwarder.MAX_PORTS), "Where packets come from and go to.");
    private static final ConfigKey<List<ForwardConfig.LaneConfig>> LANES =
            ConfigKey.required("lanes", ConfigTypes.list(LANE_SECTION, 256), "The threads.");
    private static final ConfigKey<IdleStrategy> IDLE =
            ConfigKey.of("idle", ConfigTypes.oneOf(IdleStrategy.class), "park", "What lanes do while no packet comes.");
    private static final ConfigKey<Integer> BUFFERS = ConfigKey.of(
            "buffers",
            ConfigTypes.integer(64, 1 << 20),
            "4096",
            "Each lane's buffers for packets that are made, copied or held.");
    private static final ConfigKey<ForwardConfig.DpdkConfig> DPDK =
            ConfigKey.section("dpdk", DPDK_SECTION, "How DPDK is started, where a port is driven by it.");
    private static final ConfigKey<ForwardConfig.StatisticsConfig> STATISTICS =
            ConfigKey.section("statistics", STATISTICS_SECTION, "What is printed while it runs.");
    private static final ConfigKey<List<StageConfig>> STAGES = ConfigKey.required(
            "stages",
            ConfigTypes.list(
                    ConfigTypes.<StageConfig>choice(List.of(
                            DECODE,
                            FILTER,
                            BRIDGE,
                            ROUTE,
                            RATE_LIMIT,
                            MIRROR,
                            VLAN_PUSH,
                            VLAN_POP,
                            NAT_DESTINATION,
                            NAT_SOURCE)),
                    64),
            "What is done with each packet, in this order.");
    private static final ConfigKey<List<ForwardConfig.TranslationConfig>> NAT =
            ConfigKey.repeated("nat", TRANSLATION, 10_000, "Static translations. Reloaded.");

    static final ConfigSchema<ForwardConfig> FORWARD = ConfigSchema.of(
            "forward",
            "A packet application.",
            values -> new ForwardConfig(
                    values.get(PORTS),
                    values.get(LANES),
                    values.get(IDLE),
                    values.get(BUFFERS),
                    values.get(DPDK),
                    values.get(STATISTICS),
                    values.get(STAGES),
                    values.get(NAT)),
            PORTS,
            LANES,
            IDLE,
            BUFFERS,
            DPDK,
            STATISTICS,
            STAGES,
            NAT);
}
