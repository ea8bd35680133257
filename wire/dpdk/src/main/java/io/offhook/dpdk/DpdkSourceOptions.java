package io.offhook.dpdk;

import io.offhook.live.IdleStrategy;

/**
 * How to capture by DPDK.
 *
 * @param device a virtual device with its arguments ({@code net_af_packet0,iface=eth0}), a kernel interface ({@code
 *     eth0}: that device is created for it), the address of a PCI device ({@code 0000:03:00.0}), or an existing port
 *     ({@code dpdk:0})
 * @param snapLength the most bytes captured of a packet, 1 to 262,144
 * @param isPromiscuous whether to receive frames for other machines, too
 * @param mbufs the most packets in batches and queues at once, 1,023 to 16,777,215
 * @param rxDescriptors the most packets that wait in the device's queue, 64 to 32,768; for a kernel interface, in the
 *     ring that the kernel fills
 * @param idleStrategy what the thread does while no packets arrive
 */
public record DpdkSourceOptions(
        String device, int snapLength, boolean isPromiscuous, int mbufs, int rxDescriptors, IdleStrategy idleStrategy) {
    static final int MAX_SNAP_LENGTH = 262_144;
    private static final int LEAST_DESCRIPTORS = 64;
    static final int MOST_DESCRIPTORS = 1 << 15;

    /** Checks the ranges. */
    public DpdkSourceOptions {
        check("snapLength", snapLength, 1, MAX_SNAP_LENGTH);
        check("mbufs", mbufs, 1023, (1 << 24) - 1);
        check("rxDescriptors", rxDescriptors, LEAST_DESCRIPTORS, MOST_DESCRIPTORS);
    }

    /**
     * Creates options for all packets, whole, with 16,383 mbufs and 2,048 descriptors; the thread sleeps while idle.
     */
    public static DpdkSourceOptions of(String device) {
        return new DpdkSourceOptions(device, MAX_SNAP_LENGTH, true, (1 << 14) - 1, 2048, IdleStrategy.PARK);
    }

    /** Returns a copy with another snap length in bytes. */
    public DpdkSourceOptions withSnapLength(int bytes) {
        return new DpdkSourceOptions(device, bytes, isPromiscuous, mbufs, rxDescriptors, idleStrategy);
    }

    /** Returns a copy with or without frames for other machines. */
    public DpdkSourceOptions withPromiscuous(boolean isPromiscuous) {
        return new DpdkSourceOptions(device, snapLength, isPromiscuous, mbufs, rxDescriptors, idleStrategy);
    }

    /** Returns a copy with another number of mbufs. */
    public DpdkSourceOptions withMbufs(int mbufs) {
        return new DpdkSourceOptions(device, snapLength, isPromiscuous, mbufs, rxDescriptors, idleStrategy);
    }

    /** Returns a copy with other numbers of mbufs and descriptors. */
    public DpdkSourceOptions withBuffers(int mbufs, int rxDescriptors) {
        return new DpdkSourceOptions(device, snapLength, isPromiscuous, mbufs, rxDescriptors, idleStrategy);
    }

    /**
     * Returns a copy with as many descriptors, 64 to 32,768, as a ring of this size has frames on a kernel interface.
     * The driver allocates the same again for sending.
     *
     * @param bytes the size of the ring
     * @param mtu the MTU of the interface
     */
    public DpdkSourceOptions withRing(long bytes, int mtu) {
        int descriptors = Math.clamp(bytes / DpdkDevice.frameBytes(mtu), LEAST_DESCRIPTORS, MOST_DESCRIPTORS);
        return withBuffers(mbufs, descriptors);
    }

    /** Returns a copy with another idle strategy. */
    public DpdkSourceOptions withIdleStrategy(IdleStrategy idleStrategy) {
        return new DpdkSourceOptions(device, snapLength, isPromiscuous, mbufs, rxDescriptors, idleStrategy);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is outside " + least + " to " + most);
        }
    }
}
