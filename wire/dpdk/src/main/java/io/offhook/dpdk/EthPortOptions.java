package io.offhook.dpdk;

/**
 * How a port is set up.
 *
 * @param rxQueues to receive from, 0 to 1,024; more than one share the packets by RSS, where the device has it
 * @param txQueues to send by, 0 to 1,024
 * @param rxDescriptors packets that wait in a receive queue at the most, 1 to 65,535; the device may take another number
 * @param txDescriptors packets that wait in a send queue at the most, 1 to 65,535; the device may take another number
 * @param mtu bytes of a packet behind its Ethernet header, 68 to 65,535; 0 for 1,500, or the most that the device can have
 *     where that is less
 * @param isPromiscuous whether frames for others are received, too, where the device can
 * @param critical whether bursts are critical calls, which hold the garbage collector back while they last
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
        /** Of drivers that are known to make none. */
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
            throw new IllegalArgumentException("a port without any queue does nothing");
        }
    }

    /** So many queues each way, 1,024 descriptors, the usual MTU, promiscuous. */
    public static EthPortOptions ofQueues(int rx, int tx) {
        return new EthPortOptions(rx, tx, 1024, 1024, 0, true, CriticalCalls.BY_DRIVER);
    }

    /** With other numbers of descriptors. */
    public EthPortOptions withDescriptors(int rx, int tx) {
        return new EthPortOptions(rxQueues, txQueues, rx, tx, mtu, isPromiscuous, critical);
    }

    /** With another MTU. */
    public EthPortOptions withMtu(int bytes) {
        return new EthPortOptions(rxQueues, txQueues, rxDescriptors, txDescriptors, bytes, isPromiscuous, critical);
    }

    /** With frames for others, or without. */
    public EthPortOptions withPromiscuous(boolean isPromiscuous) {
        return new EthPortOptions(rxQueues, txQueues, rxDescriptors, txDescriptors, mtu, isPromiscuous, critical);
    }

    /** With other calls. */
    public EthPortOptions withCritical(CriticalCalls critical) {
        return new EthPortOptions(rxQueues, txQueues, rxDescriptors, txDescriptors, mtu, isPromiscuous, critical);
    }

    static void checkMtu(int mtu) {
        check("mtu", mtu, LEAST_MTU, MOST_MTU);
    }

    /** The MTU that a port gets by these. */
    int mtu(EthPortInfo port) {
        return mtu != 0 ? mtu : port.maxMtu() == 0 ? USUAL_MTU : Math.min(USUAL_MTU, port.maxMtu());
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is outside " + least + " to " + most);
        }
    }
}
