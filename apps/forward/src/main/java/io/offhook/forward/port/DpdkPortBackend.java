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

/** {@code backend: dpdk}: devices that DPDK's drivers have, network cards and virtual ones; {@link DpdkPort}. */
public final class DpdkPortBackend implements PortBackend {
    /**
     * How DPDK is started: what the keys of the section {@code dpdk} become.
     *
     * @param isHuge whether memory is of huge pages
     * @param memoryBytes for pools and queues
     * @param mbufs that all ports share
     * @param mbufBytes of a packet that one holds
     * @param lcores as {@code --lcores} takes them; empty for one
     * @param pci addresses of the devices to use; empty for all that are bound to DPDK
     * @param arguments others, as they are
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

    /** The section {@code dpdk}; {@link ForwardConfig#section} has what became of it. */
    public static final ConfigSchema<Config> KEYS = ConfigSchema.of(
            "dpdk",
            "How DPDK is started, where a port is driven by it.",
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
                    "has no room for " + values.get(MBUFS) + " mbufs of " + values.get(MBUF_SIZE)
                            + " bytes, which take " + ((least >>> 20) + 1) + "MiB at the least");
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

    /** Cards have rings of hardware, which take cache. */
    @Override
    public int ring() {
        return 2048;
    }

    /** A card holds mbufs for its whole rings; with none left, nothing would come in. Virtual devices take them as they need them. */
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
                    "dpdk.mbufs " + mbufs + " is too few: rings of cards and lanes hold " + held
                            + "; take that many, or smaller rings");
        }
    }

    /** A port by the name of its device, or a device with arguments, which is added. */
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
