package io.offhook.forward;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.dpdk.Mempool;
import io.offhook.live.IdleStrategy;
import java.util.List;
import java.util.Locale;

/** The keys of a {@link ForwardConfig}. */
final class ForwardKeys {
    private static final long SECOND_NS = 1_000_000_000L;

    private ForwardKeys() {}

    // ---- ports and lanes

    private static final ConfigKey<String> PORT =
            ConfigKey.required("name", ForwardTypes.NAME, "What the port is called here.");
    private static final ConfigKey<ForwardConfig.Backend> BACKEND =
            ConfigKey.of("backend", ConfigTypes.oneOf(ForwardConfig.Backend.class), "afpacket", "How it is driven.");
    private static final ConfigKey<Placed<String>> INTERFACE = ConfigKey.required(
            "interface",
            ConfigTypes.placed(ConfigTypes.text(200)),
            "The network interface, as `ip link` has it; of `dpdk` the device: `0000:03:00.0`, `net_af_packet0,iface=eth1`.");
    /** What comes in 10 ms at the most that a lane takes from the kernel; cards have rings of hardware, which take cache. */
    private static final int KERNEL_RING = 4096;

    private static final int DPDK_RING = 2048;
    private static final ConfigKey<Integer> RING = ConfigKey.optional(
            "ring",
            ConfigTypes.integer(64, 32_768),
            "Frames that each lane's receive ring holds; " + KERNEL_RING + " without, of `dpdk` " + DPDK_RING
                    + "; of `xdp` rounded down to a power of two.");
    private static final ConfigKey<Boolean> PROMISCUOUS = ConfigKey.of(
            "promiscuous", ConfigTypes.bool(), "false", "Takes frames for other machines too; a bridge needs it.");
    private static final ConfigKey<List<Placed<IpPrefix>>> ADDRESSES = ConfigKey.repeated(
            "addresses",
            ConfigTypes.placed(ForwardTypes.PREFIX),
            64,
            "The router's addresses there, with the lengths of their networks.");

    private static final ConfigSchema<ForwardConfig.PortConfig> PORT_SECTION = ConfigSchema.of(
            "port",
            "A port. Merging of packets is to be off on its interface: `ethtool -K IF gro off lro off`.",
            values -> {
                Integer ring = values.find(RING);
                ForwardConfig.Backend backend = values.get(BACKEND);
                return new ForwardConfig.PortConfig(
                        values.get(PORT),
                        backend,
                        values.get(INTERFACE),
                        ring != null ? ring : backend == ForwardConfig.Backend.DPDK ? DPDK_RING : KERNEL_RING,
                        values.get(PROMISCUOUS),
                        values.get(ADDRESSES),
                        values.place());
            },
            PORT,
            BACKEND,
            INTERFACE,
            RING,
            PROMISCUOUS,
            ADDRESSES);

    private static final ConfigKey<Integer> CORE = ConfigKey.optional(
            "core", ConfigTypes.integer(0, 8191), "The processor that it is pinned to; any without.");
    private static final ConfigKey<List<Placed<String>>> LANE_PORTS = ConfigKey.required(
            "ports", ConfigTypes.list(ForwardTypes.PORT_NAME, Forwarder.MAX_PORTS), "The ports that it reads from.");

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
                long least = Mempool.leastBytes(values.get(MBUFS), values.get(MBUF_SIZE));
                if (least > values.get(MEMORY)) {
                    values.fault(
                            MEMORY,
                            "has no room for " + values.get(MBUFS) + " mbufs of " + values.get(MBUF_SIZE)
                                    + " bytes, which take " + ((least >>> 20) + 1) + "MiB at the least");
                }
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

    // ---- translations

    private enum Protocol {
        ANY,
        TCP,
        UDP
    }

    private static final ConfigKey<Integer> NAT_OUTSIDE = ConfigKey.required(
            "outside",
            ForwardTypes.IPV4,
            "What it is called outside. Where that is in the network of a router's port, the router answers ARP for it.");
    private static final ConfigKey<Integer> NAT_INSIDE =
            ConfigKey.required("inside", ForwardTypes.IPV4, "What it is inside.");
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
            "stages", ConfigTypes.list(StageKeys.STAGE, 64), "What is done with each packet, in this order.");
    private static final ConfigKey<List<ForwardConfig.TranslationConfig>> NAT =
            ConfigKey.repeated("nat", TRANSLATION, 10_000, "Static translations. Reloaded.");

    static final ConfigSchema<ForwardConfig> FORWARD = ConfigSchema.of(
            "forward",
            "A packet application.",
            values -> {
                if (values.isGiven(DPDK)
                        && !values.isFaulty(PORTS)
                        && values.get(PORTS).stream().noneMatch(port -> port.backend() == ForwardConfig.Backend.DPDK)) {
                    values.fault(DPDK, "no port is driven by DPDK, which its backend would say");
                }
                return new ForwardConfig(
                        values.get(PORTS),
                        values.get(LANES),
                        values.get(IDLE),
                        values.get(BUFFERS),
                        values.get(DPDK),
                        values.get(STATISTICS),
                        values.get(STAGES),
                        values.get(NAT));
            },
            PORTS,
            LANES,
            IDLE,
            BUFFERS,
            DPDK,
            STATISTICS,
            STAGES,
            NAT);
}
