package io.offhook.dpdk;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What EAL is started with; its arguments, {@code rte_eal_init}'s.
 *
 * @param isHuge whether packets lie in huge pages, which must be there then; without, no device of its own may need
 *     physical addresses
 * @param memoryMib MiB for all pools and queues, 16 to 1,048,576
 * @param lcores as {@code --lcores} takes them; the first is EAL's own thread, others get an idle one each. Empty for one
 *     lcore, which may run on all processors
 * @param isPci whether PCI devices are looked for
 * @param pciAllowed addresses of PCI devices, with their arguments; empty for all that are bound to a driver for DPDK
 * @param pciBlocked addresses of PCI devices to leave alone; only where none is allowed by name
 * @param devices virtual ones: {@code net_af_packet0,iface=eth0}; others may be {@linkplain Eal#add added} later
 * @param filePrefix of the files that processes share; empty for DPDK's own
 * @param isInMemory whether no file is shared: several such processes do not disturb each other
 * @param logLevel as {@code --log-level} takes it: {@code debug}, {@code pmd.net.tap:8}; empty for DPDK's own
 * @param isLogShown whether DPDK logs to standard error and syslog; else what it says is kept for the text of errors
 * @param more other arguments, as they are; of one that DPDK does not know it prints its usage, by itself
 */
public record EalOptions(
        boolean isHuge,
        int memoryMib,
        String lcores,
        boolean isPci,
        List<String> pciAllowed,
        List<String> pciBlocked,
        List<String> devices,
        String filePrefix,
        boolean isInMemory,
        String logLevel,
        boolean isLogShown,
        List<String> more) {
    private static final int LEAST_MIB = 16;
    private static final int MOST_MIB = 1 << 20;

    /** Checks them. */
    public EalOptions {
        if (memoryMib < LEAST_MIB || memoryMib > MOST_MIB) {
            throw new IllegalArgumentException(
                    "memoryMib " + memoryMib + " is outside " + LEAST_MIB + " to " + MOST_MIB);
        }
        if (!pciAllowed.isEmpty() && !pciBlocked.isEmpty()) {
            throw new IllegalArgumentException("PCI devices are allowed (" + String.join(", ", pciAllowed)
                    + ") or blocked (" + String.join(", ", pciBlocked) + "), not both");
        }
        if (!isPci && !(pciAllowed.isEmpty() && pciBlocked.isEmpty())) {
            throw new IllegalArgumentException("PCI devices are listed, but isPci is false");
        }
        pciAllowed = List.copyOf(pciAllowed);
        pciBlocked = List.copyOf(pciBlocked);
        devices = List.copyOf(devices);
        more = List.copyOf(more);
    }

    /** For virtual devices: 512 MiB without huge pages, no PCI, no file shared, log kept. */
    public static EalOptions virtual() {
        return new EalOptions(false, 512, "", false, List.of(), List.of(), List.of(), "", true, "", false, List.of());
    }

    /** For network cards: 1,024 MiB of huge pages, all PCI devices that are bound to a driver for DPDK. */
    public static EalOptions hardware() {
        return new EalOptions(true, 1024, "", true, List.of(), List.of(), List.of(), "", true, "", false, List.of());
    }

    /** With so much memory. */
    public EalOptions withMemoryMib(int mib) {
        return with(draft -> draft.memoryMib = mib);
    }

    /** With these virtual devices. */
    public EalOptions withDevices(String... virtual) {
        return with(draft -> draft.devices = List.of(virtual));
    }

    /** With these PCI devices, and no others. */
    public EalOptions withPciAllowed(String... addresses) {
        return with(draft -> {
            draft.isPci = true;
            draft.pciAllowed = List.of(addresses);
            draft.pciBlocked = List.of();
        });
    }

    /** With these lcores. */
    public EalOptions withLcores(String list) {
        return with(draft -> draft.lcores = list);
    }

    /** With another log level, kept or shown. */
    public EalOptions withLog(String level, boolean isShown) {
        return with(draft -> {
            draft.logLevel = level;
            draft.isLogShown = isShown;
        });
    }

    /** With other arguments besides. */
    public EalOptions withMore(String... arguments) {
        return with(draft -> draft.more = List.of(arguments));
    }

    private EalOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new EalOptions(
                isHuge,
                draft.memoryMib,
                draft.lcores,
                draft.isPci,
                draft.pciAllowed,
                draft.pciBlocked,
                draft.devices,
                filePrefix,
                isInMemory,
                draft.logLevel,
                draft.isLogShown,
                draft.more);
    }

    /** What may change of them. */
    private static final class Draft {
        private int memoryMib;
        private String lcores;
        private boolean isPci;
        private List<String> pciAllowed;
        private List<String> pciBlocked;
        private List<String> devices;
        private String logLevel;
        private boolean isLogShown;
        private List<String> more;

        private Draft(EalOptions options) {
            memoryMib = options.memoryMib;
            lcores = options.lcores;
            isPci = options.isPci;
            pciAllowed = options.pciAllowed;
            pciBlocked = options.pciBlocked;
            devices = options.devices;
            logLevel = options.logLevel;
            isLogShown = options.isLogShown;
            more = options.more;
        }
    }

    /**
     * As the command line has them.
     *
     * @param processors that EAL's thread may run on, where {@code lcores} does not say
     */
    List<String> arguments(int... processors) {
        List<String> all = new ArrayList<>(List.of("offhook", "--no-telemetry", "-m", Integer.toString(memoryMib)));
        all.add("--lcores=" + (lcores.isEmpty() ? "0@(" + list(processors) + ")" : lcores));
        if (!isHuge) {
            all.add("--no-huge");
        }
        if (isInMemory) {
            // without huge pages nothing of its memory is in files, and DPDK refuses the one that says so
            all.add(isHuge ? "--in-memory" : "--no-shconf");
        }
        if (!isPci) {
            all.add("--no-pci");
        }
        pciAllowed.forEach(address -> all.add("--allow=" + address));
        pciBlocked.forEach(address -> all.add("--block=" + address));
        devices.forEach(device -> all.add("--vdev=" + device));
        if (!filePrefix.isEmpty()) {
            all.add("--file-prefix=" + filePrefix);
        }
        if (!logLevel.isEmpty()) {
            all.add("--log-level=" + logLevel);
        }
        all.addAll(more);
        return List.copyOf(all);
    }

    private static String list(int... processors) {
        StringBuilder list = new StringBuilder();
        for (int processor : processors) {
            list.append(list.isEmpty() ? "" : ",").append(processor);
        }
        return list.toString();
    }
}
