package io.offhook.forward.application;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.config.ConfigValues;
import io.offhook.forward.Forwarder;
import io.offhook.forward.IpPrefix;
import io.offhook.forward.Translation;
import io.offhook.live.IdleStrategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of a {@link ForwardConfig}, those of the providers of port backends and stage types included. */
final class ForwardKeys {
    private static final long SECOND_NS = 1_000_000_000L;

    /** One instance per process, as configurations are compared by the identity of their keys. */
    private static @Nullable ForwardKeys ofProcess;

    private ForwardKeys() {}

    /** Returns the schema, always the same one. */
    static synchronized ConfigSchema<ForwardConfig> schema() {
        ForwardKeys keys = ofProcess;
        if (keys == null) {
            keys = load();
            ofProcess = keys;
        }
        return keys.schema;
    }

    /** @throws java.util.ServiceConfigurationError when a provider cannot be loaded; a later attempt may succeed */
    static ForwardKeys load() {
        return new ForwardKeys();
    }

    // ---- ports and lanes

    private static final ConfigKey<String> PORT =
            ConfigKey.required("name", ForwardTypes.NAME, "The name of the port in this file.");
    private final Map<String, PortBackend> backends = PortBackends.all();
    private final ConfigKey<PortBackend> backendKey =
            ConfigKey.of("backend", ConfigTypes.oneOf(backends), "afpacket", "How it is driven.");
    private static final ConfigKey<Placed<String>> INTERFACE = ConfigKey.required(
            "interface",
            ConfigTypes.placed(ConfigTypes.text(200)),
            "The network interface, as `ip link` lists it; for `dpdk` the device: `0000:03:00.0`, `net_af_packet0,iface=eth1`.");
    private final ConfigKey<Integer> ringKey = ConfigKey.optional(
            "ring",
            ConfigTypes.integer(64, 32_768),
            "Frames that each lane's receive ring holds; " + rings() + "; for `xdp` rounded down to a power of two.");
    private static final ConfigKey<Boolean> PROMISCUOUS = ConfigKey.of(
            "promiscuous",
            ConfigTypes.bool(),
            "false",
            "Receives frames to other machines as well; a bridge needs it.");
    private static final ConfigKey<List<Placed<IpPrefix>>> ADDRESSES = ConfigKey.repeated(
                    "addresses",
                    ConfigTypes.placed(ForwardTypes.PREFIX),
                    64,
                    "The router's addresses at the port, with the lengths of their networks.")
            .whileRunning();

    private final ConfigSchema<ForwardConfig.PortConfig> portSection = ConfigSchema.of(
            "port",
            "A port. Its interface must not merge packets: `ethtool -K IF gro off lro off`.",
            this::port,
            PORT,
            backendKey,
            INTERFACE,
            ringKey,
            PROMISCUOUS,
            ADDRESSES);

    private static final ConfigKey<Integer> CORE = ConfigKey.optional(
            "core", ConfigTypes.integer(0, 8191), "The processor that it is pinned to; default any.");
    private static final ConfigKey<List<Placed<String>>> LANE_PORTS = ConfigKey.required(
            "ports", ConfigTypes.list(ForwardTypes.PORT_NAME, Forwarder.MAX_PORTS), "The ports that it reads from.");

    private static final ConfigSchema<ForwardConfig.LaneConfig> LANE_SECTION = ConfigSchema.of(
            "lane",
            "A lane: a thread that reads from some ports and sends to all. Several lanes may read from one port.",
            values -> {
                Integer core = values.find(CORE);
                return new ForwardConfig.LaneConfig(core == null ? -1 : core, values.get(LANE_PORTS), values.place());
            },
            CORE,
            LANE_PORTS);

    private static final ConfigKey<Long> INTERVAL = ConfigKey.of(
                    "interval",
                    ConfigTypes.durationNs(SECOND_NS / 10, 3600 * SECOND_NS),
                    "1s",
                    "How often figures are printed.")
            .whileRunning();
    private static final ConfigSchema<Long> STATISTICS_SECTION = ConfigSchema.of(
            "statistics", "The figures printed while it runs.", values -> values.get(INTERVAL), INTERVAL);

    // ---- translations

    private enum Protocol {
        ANY,
        TCP,
        UDP
    }

    private static final ConfigKey<Integer> NAT_OUTSIDE = ConfigKey.required(
            "outside",
            ForwardTypes.IPV4,
            "The outside address. If it is in the network of a router's port, the router answers ARP for it.");
    private static final ConfigKey<Integer> NAT_INSIDE =
            ConfigKey.required("inside", ForwardTypes.IPV4, "The inside address.");
    private static final ConfigKey<Protocol> PROTOCOL = ConfigKey.of(
            "protocol",
            ConfigTypes.oneOf(Protocol.class),
            "any",
            "`tcp` and `udp` translate one port; `any` translates the whole address.");
    private static final ConfigKey<Integer> OUTSIDE_PORT =
            ConfigKey.optional("outside-port", ConfigTypes.integer(1, 65_535), "The outside port.");
    private static final ConfigKey<Integer> INSIDE_PORT = ConfigKey.optional(
            "inside-port", ConfigTypes.integer(1, 65_535), "The inside port; default the outside port.");
    private static final ConfigSchema<ForwardConfig.TranslationConfig> TRANSLATION = ConfigSchema.of(
            "translation",
            "A static translation of an IPv4 address, or of one port of it.",
            values -> {
                Protocol protocol = values.get(PROTOCOL);
                Integer outsidePort = values.find(OUTSIDE_PORT);
                Integer insidePort = values.find(INSIDE_PORT);
                if (protocol == Protocol.ANY && (outsidePort != null || insidePort != null)) {
                    values.fault(PROTOCOL, "is any, which translates no single ports: set tcp or udp");
                } else if (protocol != Protocol.ANY && outsidePort == null) {
                    values.fault(OUTSIDE_PORT, "is missing; " + protocol.name().toLowerCase(Locale.ROOT) + " needs it");
                }
                int number =
                        protocol == Protocol.TCP ? Translation.TCP : protocol == Protocol.UDP ? Translation.UDP : 0;
                int from = number == 0 || outsidePort == null ? 0 : outsidePort;
                int to = number == 0 ? 0 : insidePort == null ? from : insidePort;
                return new ForwardConfig.TranslationConfig(
                        new Translation(values.get(NAT_OUTSIDE), values.get(NAT_INSIDE), number, from, to),
                        values.place());
            },
            NAT_OUTSIDE,
            NAT_INSIDE,
            PROTOCOL,
            OUTSIDE_PORT,
            INSIDE_PORT);

    // ---- the whole file

    private final ConfigKey<List<ForwardConfig.PortConfig>> ports = ConfigKey.required(
            "ports", ConfigTypes.list(portSection, Forwarder.MAX_PORTS), "Where packets come from and go to.");
    private static final ConfigKey<List<ForwardConfig.LaneConfig>> LANES =
            ConfigKey.required("lanes", ConfigTypes.list(LANE_SECTION, 256), "The threads.");
    private static final ConfigKey<IdleStrategy> IDLE =
            ConfigKey.of("idle", ConfigTypes.oneOf(IdleStrategy.class), "park", "What lanes do while no packet comes.");
    private static final ConfigKey<Integer> BUFFERS = ConfigKey.of(
            "buffers",
            ConfigTypes.integer(64, 1 << 20),
            "4096",
            "Each lane's buffers for packets that are created, copied or held.");
    /** The sections of backends that have keys. */
    private final Map<PortBackend, ConfigKey<?>> backendSections = sections();

    private static final ConfigKey<Long> STATISTICS =
            ConfigKey.section("statistics", STATISTICS_SECTION, "The figures printed while it runs.");
    private final ConfigKey<List<StageConfig<?>>> stages = ConfigKey.required(
            "stages", ConfigTypes.list(StageTypes.any(), 64), "The stages that each packet passes, in this order.");
    private static final ConfigKey<List<ForwardConfig.TranslationConfig>> NAT = ConfigKey.repeated(
                    "nat", TRANSLATION, 10_000, "Static translations.")
            .whileRunning();

    private final ConfigSchema<ForwardConfig> schema =
            ConfigSchema.of("forward", "A packet application.", this::config, keys());

    private ConfigKey<?>[] keys() {
        List<ConfigKey<?>> keys = new ArrayList<>(List.of(ports, LANES, IDLE, BUFFERS));
        keys.addAll(backendSections.values());
        keys.addAll(List.of(STATISTICS, stages, NAT));
        return keys.toArray(ConfigKey<?>[]::new);
    }

    private Map<PortBackend, ConfigKey<?>> sections() {
        Map<PortBackend, ConfigKey<?>> sections = new LinkedHashMap<>();
        for (PortBackend backend : backends.values()) {
            ConfigSchema<?> keys = backend.keys();
            if (!keys.keys().isEmpty()) {
                sections.put(backend, ConfigKey.section(backend.name(), keys, keys.description()));
            }
        }
        return sections;
    }

    /** The defaults of the key {@code ring}. */
    private String rings() {
        int usual = PortBackend.RING;
        StringBuilder text = new StringBuilder("default " + usual);
        for (PortBackend backend : backends.values()) {
            if (backend.ring() != usual) {
                text.append(", for `").append(backend.name()).append("` ").append(backend.ring());
            }
        }
        return text.toString();
    }

    private ForwardConfig.PortConfig port(ConfigValues values) {
        PortBackend backend = values.get(backendKey);
        Integer ring = values.find(ringKey);
        return new ForwardConfig.PortConfig(
                values.get(PORT),
                backend,
                values.get(INTERFACE),
                ring != null ? ring : backend.ring(),
                values.get(PROMISCUOUS),
                values.get(ADDRESSES),
                values.place());
    }

    private ForwardConfig config(ConfigValues values) {
        Map<ConfigSchema<?>, Object> sections = new HashMap<>();
        backendSections.forEach((backend, key) -> {
            sections.put(backend.keys(), values.get(key));
            boolean isUsed = values.isFaulty(ports)
                    || values.get(ports).stream()
                            .anyMatch(port -> port.backend().equals(backend));
            if (values.isGiven(key) && !isUsed) {
                values.fault(key, "no port has backend " + backend.name());
            }
        });
        return new ForwardConfig(
                values.get(ports),
                values.get(LANES),
                new ForwardConfig.RunConfig(values.get(IDLE), values.get(BUFFERS), values.get(STATISTICS)),
                Map.copyOf(sections),
                values.get(stages),
                values.get(NAT),
                values.section());
    }
}
