package io.offhook.dpdk;

import io.offhook.live.IdleStrategy;

/**
 * What is captured by DPDK, and how.
 *
 * @param device a virtual device with its arguments ({@code net_af_packet0,iface=eth0}), an interface of the kernel
 *     ({@code eth0}: that device is made for it), the address of a PCI device ({@code 0000:03:00.0}), or a port that
 *     there is ({@code dpdk:0})
 * @param snapLength most bytes captured of a packet, 1 to 262,144
 * @param isPromiscuous whether frames for other machines are wanted, too
 * @param mbufs packets that can be with batches and in queues at a time, 1,023 to 16,777,215
 * @param rxDescriptors packets that wait in the device's queue at the most, 64 to 32,768; of an interface of the kernel, in
 *     the ring that the kernel fills
 * @param idleStrategy what its thread does while nothing comes
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

    /** Whole packets, all that pass, 16,383 mbufs, 2,048 descriptors; its thread sleeps while nothing comes. */
    public static DpdkSourceOptions of(String device) {
        return new DpdkSourceOptions(device, MAX_SNAP_LENGTH, true, (1 << 14) - 1, 2048, IdleStrategy.PARK);
    }

    /** With another snap length. */
    public DpdkSourceOptions withSnapLength(int bytes) {
        return new DpdkSourceOptions(device, bytes, isPromiscuous, mbufs, rxDescriptors, idleStrategy);
    }

    /** With frames for other machines, or without. */
    public DpdkSourceOptions withPromiscuous(boolean isPromiscuous) {
        return new DpdkSourceOptions(device, snapLength, isPromiscuous, mbufs, rxDescriptors, idleStrategy);
    }

    /** With another number of mbufs. */
    public DpdkSourceOptions withMbufs(int mbufs) {
        return new DpdkSourceOptions(device, snapLength, isPromiscuous, mbufs, rxDescriptors, idleStrategy);
    }

    /** With other numbers of mbufs and descriptors. */
    public DpdkSourceOptions withBuffers(int mbufs, int rxDescriptors) {
        return new DpdkSourceOptions(device, snapLength, isPromiscuous, mbufs, rxDescriptors, idleStrategy);
    }

    /**
     * With as many descriptors as a ring of so many bytes has frames, 64 to 32,768: of an interface of the kernel. The driver
     * takes as much again to send.
     *
     * @param bytes of the ring
     * @param mtu of the interface
     */
    public DpdkSourceOptions withRing(long bytes, int mtu) {
        int descriptors = Math.clamp(bytes / DpdkDevice.frameBytes(mtu), LEAST_DESCRIPTORS, MOST_DESCRIPTORS);
        return withBuffers(mbufs, descriptors);
    }

    /** With another way to wait. */
    public DpdkSourceOptions withIdleStrategy(IdleStrategy idleStrategy) {
        return new DpdkSourceOptions(device, snapLength, isPromiscuous, mbufs, rxDescriptors, idleStrategy);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is outside " + least + " to " + most);
        }
    }
}
