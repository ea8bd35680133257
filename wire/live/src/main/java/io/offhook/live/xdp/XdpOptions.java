package io.offhook.live.xdp;

import io.offhook.live.IdleStrategy;

/**
 * How an interface is captured from by AF_XDP.
 *
 * @param interfaceName as {@code ip link} has it
 * @param snapLength most bytes handed over of a packet, 1 to 262,144
 * @param isPromiscuous whether frames for other machines are wanted, too
 * @param memoryBytes for frames, 16 KiB to 8 GiB, divided among the queues, of which each uses a power of two; that is what a
 *     consumer may fall behind
 * @param queues how many of the interface's receive queues, from the first one on; 0 for all
 * @param mode who runs the program that redirects frames
 * @param idleStrategy what the thread does in {@code next} while nothing comes; with any but PARK it never sleeps
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

    /** Whole packets, all that pass, 64 MiB for frames, all queues, native mode where the driver can. */
    public static XdpOptions of(String interfaceName) {
        return new XdpOptions(interfaceName, MAX_SNAP_LENGTH, true, 64 << 20, 0, XdpMode.AUTO, IdleStrategy.PARK);
    }

    /** With another snap length. */
    public XdpOptions withSnapLength(int bytes) {
        return new XdpOptions(interfaceName, bytes, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    /** With frames for other machines, or without. */
    public XdpOptions withPromiscuous(boolean isPromiscuous) {
        return new XdpOptions(interfaceName, snapLength, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    /** With more memory for frames, or less. */
    public XdpOptions withMemory(long memoryBytes) {
        return new XdpOptions(interfaceName, snapLength, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    /** With another number of queues. */
    public XdpOptions withQueues(int queues) {
        return new XdpOptions(interfaceName, snapLength, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    /** In another mode. */
    public XdpOptions withMode(XdpMode mode) {
        return new XdpOptions(interfaceName, snapLength, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    /** With another way to wait. */
    public XdpOptions withIdleStrategy(IdleStrategy idleStrategy) {
        return new XdpOptions(interfaceName, snapLength, isPromiscuous, memoryBytes, queues, mode, idleStrategy);
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is outside " + least + " to " + most);
        }
    }
}
