package io.offhook.dpdk;

import java.util.ArrayList;
import java.util.List;

/**
 * How to start EAL: the arguments of {@code rte_eal_init}.
 *
 * @param memory the memory for all pools and queues
 * @param lcores a list in the format of {@code --lcores}; the first is EAL's own thread, others get an idle one each.
 *     Empty for one lcore that may run on all processors
 * @param pci which PCI devices EAL searches for
 * @param devices virtual devices: {@code net_af_packet0,iface=eth0}; others may be {@linkplain Eal#add added} later
 * @param log what becomes of DPDK's log
 * @param more further arguments, passed on unchanged; DPDK prints its usage if it does not know one of them
 */
public record EalOptions(Memory memory, String lcores, Pci pci, List<String> devices, Log log, List<String> more) {

    /** Copies the lists. */
    public EalOptions {
        devices = List.copyOf(devices);
        more = List.copyOf(more);
    }

    /**
     * The memory of EAL.
     *
     * @param isHuge whether packets are in huge pages, which must exist; without them, no device may need physical
     *     addresses
     * @param mib the size in MiB, 16 to 1,048,576
     * @param isPrivate whether no file is shared with other processes, so that several do not disturb each other
     * @param filePrefix the prefix of the files that processes share; empty for DPDK's default
     */
    public record Memory(boolean isHuge, int mib, boolean isPrivate, String filePrefix) {
        private static final int LEAST_MIB = 16;
        private static final int MOST_MIB = 1 << 20;

        /** Checks the range. */
        public Memory {
            if (mib < LEAST_MIB || mib > MOST_MIB) {
                throw new IllegalArgumentException("mib " + mib + " is outside " + LEAST_MIB + " to " + MOST_MIB);
            }
        }
    }

    /**
     * The PCI devices of EAL.
     *
     * @param isSearched whether EAL searches for PCI devices
     * @param allowed the addresses of the devices to use, with their arguments; empty for all that are bound to a
     *     driver for DPDK
     * @param blocked the addresses of the devices to leave alone; only if none is allowed by address
     */
    public record Pci(boolean isSearched, List<String> allowed, List<String> blocked) {
        /** No PCI devices. */
        public static final Pci NONE = new Pci(false, List.of(), List.of());
        /** All PCI devices that are bound to a driver for DPDK. */
        public static final Pci ALL = new Pci(true, List.of(), List.of());

        /** Checks that the lists are consistent, and copies them. */
        public Pci {
            if (!allowed.isEmpty() && !blocked.isEmpty()) {
                throw new IllegalArgumentException("PCI devices are allowed (" + String.join(", ", allowed)
                        + ") and blocked (" + String.join(", ", blocked) + "); name only one kind");
            }
            if (!isSearched && !(allowed.isEmpty() && blocked.isEmpty())) {
                throw new IllegalArgumentException("PCI devices are listed, but isSearched is false");
            }
            allowed = List.copyOf(allowed);
            blocked = List.copyOf(blocked);
        }
    }

    /**
     * The log of DPDK.
     *
     * @param level a level in the format of {@code --log-level}: {@code debug}, {@code pmd.net.tap:8}; empty for DPDK's
     *     default
     * @param isShown whether DPDK logs to standard error and syslog; otherwise its messages are kept for the text of
     *     exceptions
     */
    public record Log(String level, boolean isShown) {}

    /** Creates options for virtual devices: 512 MiB without huge pages, no PCI, no shared files, log kept. */
    public static EalOptions virtual() {
        return of(new Memory(false, 512, true, ""), Pci.NONE);
    }

    /**
     * Creates options for network cards: 1,024 MiB of huge pages, all PCI devices that are bound to a driver for DPDK.
     */
    public static EalOptions hardware() {
        return of(new Memory(true, 1024, true, ""), Pci.ALL);
    }

    private static EalOptions of(Memory memory, Pci pci) {
        return new EalOptions(memory, "", pci, List.of(), new Log("", false), List.of());
    }

    /** Returns a copy with other memory. */
    public EalOptions withMemory(Memory memory) {
        return new EalOptions(memory, lcores, pci, devices, log, more);
    }

    /** Returns a copy with another size of its memory, 16 to 1,048,576 MiB. */
    public EalOptions withMemoryMib(int mib) {
        return withMemory(new Memory(memory.isHuge, mib, memory.isPrivate, memory.filePrefix));
    }

    /** Returns a copy with these virtual devices. */
    public EalOptions withDevices(String... virtual) {
        return new EalOptions(memory, lcores, pci, List.of(virtual), log, more);
    }

    /** Returns a copy with these PCI devices, and no others. */
    public EalOptions withPciAllowed(String... addresses) {
        return new EalOptions(memory, lcores, new Pci(true, List.of(addresses), List.of()), devices, log, more);
    }

    /** Returns a copy with these lcores. */
    public EalOptions withLcores(String list) {
        return new EalOptions(memory, list, pci, devices, log, more);
    }

    /** Returns a copy with another log level, kept or shown. */
    public EalOptions withLog(String level, boolean isShown) {
        return new EalOptions(memory, lcores, pci, devices, new Log(level, isShown), more);
    }

    /** Returns a copy with these further arguments. */
    public EalOptions withMore(String... arguments) {
        return new EalOptions(memory, lcores, pci, devices, log, List.of(arguments));
    }

    /**
     * Returns the arguments as on a command line.
     *
     * @param processors the processors that EAL's thread may run on if {@code lcores} is empty
     */
    List<String> arguments(int... processors) {
        List<String> all = new ArrayList<>(List.of("offhook", "--no-telemetry", "-m", Integer.toString(memory.mib)));
        all.add("--lcores=" + (lcores.isEmpty() ? "0@(" + list(processors) + ")" : lcores));
        if (!memory.isHuge) {
            all.add("--no-huge");
        }
        if (memory.isPrivate) {
            // without huge pages no memory is in files, and DPDK refuses --in-memory
            all.add(memory.isHuge ? "--in-memory" : "--no-shconf");
        }
        if (!pci.isSearched) {
            all.add("--no-pci");
        }
        pci.allowed.forEach(address -> all.add("--allow=" + address));
        pci.blocked.forEach(address -> all.add("--block=" + address));
        devices.forEach(device -> all.add("--vdev=" + device));
        if (!memory.filePrefix.isEmpty()) {
            all.add("--file-prefix=" + memory.filePrefix);
        }
        if (!log.level.isEmpty()) {
            all.add("--log-level=" + log.level);
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
