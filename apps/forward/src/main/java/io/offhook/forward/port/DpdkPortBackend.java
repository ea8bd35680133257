package io.offhook.forward.port;

import io.offhook.config.ConfigFaults;
import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import io.offhook.dpdk.Mempool;
import io.offhook.forward.Burst;
import io.offhook.forward.Port;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.forward.application.PortBackend;
import io.offhook.forward.application.PortRequest;
import java.util.List;

/** {@code backend: dpdk}: devices with a driver of DPDK, network cards and virtual devices; {@link DpdkPort}. */
public final class DpdkPortBackend implements PortBackend {
    /**
     * The values of the section {@code dpdk}: how DPDK is started.
     *
     * @param isHuge whether memory consists of huge pages
     * @param memoryBytes memory for pools and queues, in bytes
     * @param mbufs the number of mbufs, shared by all ports
     * @param mbufBytes the longest packet that an mbuf holds, in bytes
     * @param lcores the argument of {@code --lcores}; empty for one lcore
     * @param pci the PCI addresses of the devices to use; empty for all that are bound to DPDK
     * @param arguments further arguments of EAL, passed on unchanged
     */
    public record Config(
            boolean isHuge,
            long memoryBytes,
            int mbufs,
            int mbufBytes,
            String lcores,
            List<String> pci,
            List<String> arguments) {}

    private static final ConfigKey<Boolean> HUGE =
            ConfigKey.of("huge", ConfigTypes.bool(), "true", "Whether to use huge pages; network cards need them.");
    private static final ConfigKey<Long> MEMORY = ConfigKey.of(
            "memory", ConfigTypes.bytes(16L << 20, 1L << 40), "1GiB", "Memory for pools and queues, in whole MiB.");
    private static final ConfigKey<Integer> MBUFS =
            ConfigKey.of("mbufs", ConfigTypes.integer(255, 1 << 24), "16383", "The mbufs that all ports share.");
    private static final ConfigKey<Integer> MBUF_SIZE = ConfigKey.of(
            "mbuf-size",
            ConfigTypes.integer(1600, 65_407),
            "2048",
            "The longest packet that an mbuf holds, in bytes; longer ones are lost.");
    private static final ConfigKey<String> LCORES =
            ConfigKey.optional("lcores", ConfigTypes.text(200), "The argument of `--lcores`.");
    private static final ConfigKey<List<String>> PCI = ConfigKey.repeated(
            "pci",
            ConfigTypes.text(200),
            64,
            "The PCI devices to use; default all that are bound to a driver of DPDK.");
    private static final ConfigKey<List<String>> ARGUMENTS = ConfigKey.repeated(
            "arguments", ConfigTypes.text(1000), 64, "Further arguments of EAL, passed on unchanged.");

    /** The section {@code dpdk}, for {@link ForwardConfig#section}. */
    public static final ConfigSchema<Config> KEYS = ConfigSchema.of(
            "dpdk",
            "How DPDK is started, if a port uses it.",
            DpdkPortBackend::config,
            HUGE,
            MEMORY,
            MBUFS,
            MBUF_SIZE,
            LCORES,
            PCI,
            ARGUMENTS);

    private static Config config(ConfigValues values) {
        String lcores = values.find(LCORES);
        long least = Mempool.leastBytes(values.get(MBUFS), values.get(MBUF_SIZE));
        if (least > values.get(MEMORY)) {
            values.fault(
                    MEMORY,
                    "is too little for " + values.get(MBUFS) + " mbufs of " + values.get(MBUF_SIZE)
                            + " bytes, which need at least " + ((least >>> 20) + 1) + "MiB");
        }
        return new Config(
                values.get(HUGE),
                values.get(MEMORY),
                values.get(MBUFS),
                values.get(MBUF_SIZE),
                lcores == null ? "" : lcores,
                values.get(PCI),
                values.get(ARGUMENTS));
    }

    /** For {@link java.util.ServiceLoader}. */
    public DpdkPortBackend() {}

    @Override
    public String name() {
        return "dpdk";
    }

    @Override
    public ConfigSchema<Config> keys() {
        return KEYS;
    }

    /** Smaller than by default: the rings of a card compete for the processor's cache. */
    @Override
    public int ring() {
        return 2048;
    }

    /**
     * A card fills its rings with mbufs; without free mbufs it could not receive. Virtual devices take mbufs as they
     * need them.
     */
    @Override
    public void check(ForwardConfig config, ConfigFaults faults) {
        List<ForwardConfig.PortConfig> cards = config.portsOf(this).stream()
                .filter(port -> !port.interfaceName().value().startsWith("net_"))
                .toList();
        long lanes = config.lanes().size();
        long held = lanes * Burst.CAPACITY;
        for (ForwardConfig.PortConfig card : cards) {
            long readers = config.lanes().stream()
                    .flatMap(lane -> lane.ports().stream())
                    .filter(name -> name.value().equals(card.name()))
                    .count();
            held += (readers + lanes) * card.ring();
        }
        int mbufs = config.section(KEYS).mbufs();
        if (!cards.isEmpty() && held > mbufs && !faults.has("lanes") && !faults.has("dpdk")) {
            faults.add(
                    cards.getFirst().place(),
                    "dpdk.mbufs " + mbufs + " is too few: the rings of cards and the lanes hold up to " + held
                            + "; raise it to that, or use smaller rings");
        }
    }

    /** A port for a device by name, or for a device with arguments, which is added. */
    @Override
    public Port open(PortRequest request) {
        return request.shared(DpdkShared.class, () -> shared(request)).port(request.port());
    }

    private static DpdkShared shared(PortRequest request) {
        DpdkShared shared = new DpdkShared(request.section(KEYS));
        request.scope(shared::scope);
        return shared;
    }
}
