package io.offhook.dpdk;

/**
 * How to set up a port.
 *
 * @param rxQueues the receive queues, 0 to 1,024; several share the packets by RSS, if the device supports it
 * @param txQueues the send queues, 0 to 1,024
 * @param rxDescriptors the most packets that wait in a receive queue, 1 to 65,535; the device may choose another number
 * @param txDescriptors the most packets that wait in a send queue, 1 to 65,535; the device may choose another number
 * @param mtu the bytes of a packet after its Ethernet header, 68 to 65,535; 0 for 1,500, or the device's maximum if
 *     that is less
 * @param isPromiscuous whether to receive frames for other machines, too, if the device supports it
 * @param critical whether bursts are critical calls, which delay the garbage collector
 */
public record EthPortOptions(
        int rxQueues,
        int txQueues,
        int rxDescriptors,
        int txDescriptors,
        int mtu,
        boolean isPromiscuous,
        CriticalCalls critical) {
    private static final int MOST_QUEUES = 1024;
    private static final int MOST_DESCRIPTORS = 65_535;
    private static final int LEAST_MTU = 68;
    private static final int MOST_MTU = 65_535;
    private static final int USUAL_MTU = 1500;

    /** Whether bursts are critical calls: a few nanoseconds shorter, for drivers that make no system call in them. */
    public enum CriticalCalls {
        /** For drivers that are known to make none. */
        BY_DRIVER,
        /** Never. */
        NEVER
    }

    /** Checks the ranges. */
    public EthPortOptions {
        check("rxQueues", rxQueues, 0, MOST_QUEUES);
        check("txQueues", txQueues, 0, MOST_QUEUES);
        check("rxDescriptors", rxDescriptors, 1, MOST_DESCRIPTORS);
        check("txDescriptors", txDescriptors, 1, MOST_DESCRIPTORS);
        if (mtu != 0) {
            checkMtu(mtu);
        }
        if (rxQueues + txQueues == 0) {
            throw new IllegalArgumentException("a port needs at least one queue");
        }
    }

    /** Creates options with these numbers of queues, 1,024 descriptors and the usual MTU, promiscuous. */
    public static EthPortOptions ofQueues(int rx, int tx) {
        return new EthPortOptions(rx, tx, 1024, 1024, 0, true, CriticalCalls.BY_DRIVER);
    }

    /** Returns a copy with other numbers of descriptors. */
    public EthPortOptions withDescriptors(int rx, int tx) {
        return new EthPortOptions(rxQueues, txQueues, rx, tx, mtu, isPromiscuous, critical);
    }

    /** Returns a copy with another MTU in bytes. */
    public EthPortOptions withMtu(int bytes) {
        return new EthPortOptions(rxQueues, txQueues, rxDescriptors, txDescriptors, bytes, isPromiscuous, critical);
    }

    /** Returns a copy with or without frames for other machines. */
    public EthPortOptions withPromiscuous(boolean isPromiscuous) {
        return new EthPortOptions(rxQueues, txQueues, rxDescriptors, txDescriptors, mtu, isPromiscuous, critical);
    }

    /** Returns a copy with another choice of calls. */
    public EthPortOptions withCritical(CriticalCalls critical) {
        return new EthPortOptions(rxQueues, txQueues, rxDescriptors, txDescriptors, mtu, isPromiscuous, critical);
    }

    static void checkMtu(int mtu) {
        check("mtu", mtu, LEAST_MTU, MOST_MTU);
    }

    /** Returns the MTU that a port gets with these options. */
    int mtu(EthPortInfo port) {
        return mtu != 0 ? mtu : port.maxMtu() == 0 ? USUAL_MTU : Math.min(USUAL_MTU, port.maxMtu());
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is outside " + least + " to " + most);
        }
    }
}
