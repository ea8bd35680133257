package io.offhook.live.xdp;

import io.offhook.live.IdleStrategy;

/**
 * How to capture from an interface by AF_XDP.
 *
 * @param interfaceName the name as shown by {@code ip link}
 * @param snapLength the most bytes delivered of a packet, 1 to 262,144
 * @param isPromiscuous whether to receive frames for other machines, too
 * @param memoryBytes the memory for frames, by which a consumer may lag behind, 16 KiB to 8 GiB; divided among the
 *     queues, each of which uses a power of two
 * @param queues the number of the interface's receive queues to use, from the first one on; 0 for all
 * @param mode which part of the system runs the program that redirects frames
 * @param idleStrategy what the thread does in {@code next} while no frames arrive; with any but PARK it never sleeps
 */
public record XdpOptions(
        String interfaceName,
        int snapLength,
        boolean isPromiscuous,
        long memoryBytes,
        int queues,
        XdpMode mode,
        IdleStrategy idleStrategy) {
    private static final int MAX_SNAP_LENGTH = 262_144;
    static final long MAX_MEMORY = 8L << 30;
    private static final int MAX_QUEUES = 4096;

    /** Checks the ranges. */
    public XdpOptions {
        check("snapLength", snapLength, 1, MAX_SNAP_LENGTH);
        check("memoryBytes", memoryBytes, 16 << 10, MAX_MEMORY);
        check("queues", queues, 0, MAX_QUEUES);
    }

    /**
     * Creates options for all packets, whole, with 64 MiB for frames, all queues, and native mode if the driver
     * supports it.
     */
    public static XdpOptions of(String interfaceName) {
        return new XdpOptions(interfaceName, MAX_SNAP_LENGTH, true, 64 << 20, 0, XdpMode.AUTO, IdleStrategy.PARK);
    }

    /** Returns a copy with another snap length in bytes. */
    public XdpOptions withSnapLength(int bytes) {
        return new XdpOptions(interfaceName, bytes, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    /** Returns a copy with or without frames for other machines. */
    public XdpOptions withPromiscuous(boolean isPromiscuous) {
        return new XdpOptions(interfaceName, snapLength, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    /** Returns a copy with other memory for frames, in bytes. */
    public XdpOptions withMemory(long memoryBytes) {
        return new XdpOptions(interfaceName, snapLength, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    /** Returns a copy with another number of queues. */
    public XdpOptions withQueues(int queues) {
        return new XdpOptions(interfaceName, snapLength, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    /** Returns a copy with another mode. */
    public XdpOptions withMode(XdpMode mode) {
        return new XdpOptions(interfaceName, snapLength, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    /** Returns a copy with another idle strategy. */
    public XdpOptions withIdleStrategy(IdleStrategy idleStrategy) {
        return new XdpOptions(interfaceName, snapLength, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is outside " + least + " to " + most);
        }
    }
}
