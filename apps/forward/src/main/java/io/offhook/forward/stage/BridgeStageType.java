package io.offhook.forward.stage;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigTypes.Placed;
import io.offhook.forward.Stage;
import io.offhook.forward.application.ForwardTypes;
import io.offhook.forward.application.StageChecks;
import io.offhook.forward.application.StageConfig;
import io.offhook.forward.application.StageContext;
import io.offhook.forward.application.StageFigure;
import io.offhook.forward.application.StageInstances;
import io.offhook.forward.application.StageRole;
import io.offhook.forward.application.StageType;
import io.offhook.packet.MacAddress;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code bridge} of a configuration: {@link BridgeStage}. */
public final class BridgeStageType implements StageType<BridgeStageType.Config> {
    /**
     * The values of its keys.
     *
     * @param ports the ports of the bridge; all if empty
     * @param tableSize the most addresses
     * @param ageingNs how long an address is remembered, in nanoseconds
     * @param addresses static addresses, which neither move nor age
     */
    public record Config(List<Placed<String>> ports, int tableSize, long ageingNs, List<StaticAddress> addresses) {}

    /**
     * A static address of a bridge.
     *
     * @param linkAddress 48 bits
     * @param port its port
     */
    public record StaticAddress(long linkAddress, Placed<String> port) {}

    private static final long SECOND_NS = 1_000_000_000L;

    /** The size of tables of MAC addresses and of sources. */
    static final ConfigKey<Integer> TABLE_SIZE =
            ConfigKey.of("table-size", ConfigTypes.integer(8, 1 << 20), "8192", "The most entries in its table.");

    private static final ConfigKey<List<Placed<String>>> PORTS = ForwardTypes.ports();
    private static final ConfigKey<Long> AGEING = ConfigKey.of(
            "ageing",
            ConfigTypes.durationNs(SECOND_NS, 1_000_000 * SECOND_NS),
            "300s",
            "How long an address is remembered after it was last seen.");
    private static final ConfigKey<Long> STATION = ConfigKey.required("mac", ForwardTypes.MAC, "The address.");
    private static final ConfigKey<Placed<String>> AT_PORT =
            ConfigKey.required("port", ForwardTypes.PORT_NAME, "Its port.");
    private static final ConfigSchema<StaticAddress> ADDRESS = ConfigSchema.of(
            "address",
            "An address that neither moves nor ages.",
            values -> new StaticAddress(values.get(STATION), values.get(AT_PORT)),
            STATION,
            AT_PORT);
    private static final ConfigKey<List<StaticAddress>> ADDRESSES = ConfigKey.repeated(
                    "addresses", ADDRESS, 10_000, "Static addresses, which need not be learned.")
            .whileRunning();
    private static final ConfigSchema<Config> SCHEMA = ConfigSchema.of(
            "bridge",
            "A learning bridge: sends to the port where the destination was seen, or else to all others.",
            values -> new Config(values.get(PORTS), values.get(TABLE_SIZE), values.get(AGEING), values.get(ADDRESSES)),
            PORTS,
            TABLE_SIZE,
            AGEING,
            ADDRESSES);

    /** For {@link java.util.ServiceLoader}. */
    public BridgeStageType() {}

    @Override
    public ConfigSchema<Config> schema() {
        return SCHEMA;
    }

    @Override
    public Set<StageRole> roles() {
        return Set.of(StageRole.DECIDES, StageRole.TAKES_ALL_FRAMES);
    }

    @Override
    public List<Placed<String>> ports(Config config) {
        return config.ports();
    }

    @Override
    public List<Long> stations(Config config) {
        return config.addresses().stream().map(StaticAddress::linkAddress).toList();
    }

    /** Each address at a port of the bridge, and all together no more than its table takes. */
    @Override
    public void check(Config config, StageChecks checks) {
        checks.known(config.ports());
        checks.unique(
                config.addresses(),
                address -> MacAddress.text(address.linkAddress()),
                address -> address.port().place(),
                "MAC address");
        MacTable table = new MacTable(config.tableSize(), config.ageingNs());
        boolean hasRoom = true;
        for (StaticAddress address : config.addresses()) {
            String port = address.port().value();
            if (checks.known(address.port()) && !StageConfig.isAbout(config.ports(), port)) {
                checks.fault(address.port().place(), "port " + port + " is not one of the bridge's");
            }
            if (hasRoom && !table.pin(address.linkAddress(), 0)) {
                hasRoom = false;
                checks.fault(
                        address.port().place(),
                        "table-size " + config.tableSize() + " is too small: no room for "
                                + MacAddress.text(address.linkAddress()));
            }
        }
    }

    @Override
    public StageInstances<Config> prepare(Config config, StageContext context) {
        return new Instances(config, context);
    }

    @Override
    public Optional<StageInstances<Config>> rehearse(Config config, StageContext context) {
        return Optional.of(prepare(config, context));
    }

    /** The lanes share the table, and with it the static addresses. */
    private static final class Instances implements StageInstances<Config> {
        private final StageContext context;
        private final long ports;
        private final MacTable table;

        Instances(Config config, StageContext context) {
            this.context = context;
            ports = context.portsOrAll(config.ports());
            table = new MacTable(config.tableSize(), config.ageingNs());
            pinned(config).forEach(table::pin);
        }

        private Map<Long, Integer> pinned(Config config) {
            Map<Long, Integer> pinned = new LinkedHashMap<>();
            config.addresses()
                    .forEach(address -> pinned.put(
                            address.linkAddress(), context.port(address.port().value())));
            return pinned;
        }

        @Override
        public Stage ofALane() {
            return new BridgeStage(ports, table);
        }

        @Override
        public List<Runnable> exchange(Config before, Config after) {
            Map<Long, Integer> pinned = pinned(after);
            Set<Long> gone = new HashSet<>(pinned(before).keySet());
            gone.removeAll(pinned.keySet());
            gone.forEach(table::forget);
            pinned.forEach(table::pin);
            return List.of();
        }

        @Override
        public List<StageFigure> figures() {
            return List.of(new StageFigure.TableCount(
                    "bridge", table.count(), table.evicted(), "addresses gave way to others (key table-size)"));
        }
    }
}
