package io.offhook.live.packetsocket;

import io.offhook.live.IdleStrategy;
import io.offhook.live.TimestampClock;

/**
 * How an interface is captured from by AF_PACKET.
 *
 * @param interfaceName as {@code ip link} has it
 * @param snapLength most bytes captured of a packet, 1 to 262,144
 * @param isPromiscuous whether frames for other machines are wanted, too
 * @param blockBytes of a ring block: a power of two, 64 KiB to 64 MiB; packets are handed over a block at a time
 * @param blocks of the ring, 2 to 65,536; all of them together are what a consumer may fall behind
 * @param blockTimeoutMs after how many milliseconds a block is handed over though it is not full, 1 to 10,000
 * @param clock that packets are stamped by
 * @param idleStrategy how {@link PacketSocketSource#next} waits; {@link IdleStrategy#PARK} by poll(2), in the kernel
 */
public record PacketSocketOptions(
        String interfaceName,
        int snapLength,
        boolean isPromiscuous,
        int blockBytes,
        int blocks,
        int blockTimeoutMs,
        TimestampClock clock,
        IdleStrategy idleStrategy) {
    private static final int MAX_SNAP_LENGTH = 262_144;

    /** Checks the ranges. */
    public PacketSocketOptions {
        check("snapLength", snapLength, 1, MAX_SNAP_LENGTH);
        check("blockBytes", blockBytes, 64 << 10, 64 << 20);
        check("blocks", blocks, 2, 1 << 16);
        check("blockTimeoutMs", blockTimeoutMs, 1, 10_000);
        if (Integer.bitCount(blockBytes) != 1) {
            throw new IllegalArgumentException("blockBytes " + blockBytes + " is no power of two");
        }
    }

    /**
     * Whole packets, all that pass, a ring of 64 MiB, handed over after 10 ms at the latest, with the kernel's time; waiting
     * costs no processor.
     */
    public static PacketSocketOptions of(String interfaceName) {
        return new PacketSocketOptions(
                interfaceName, MAX_SNAP_LENGTH, true, 1 << 20, 64, 10, TimestampClock.KERNEL, IdleStrategy.PARK);
    }

    /** With another snap length. */
    public PacketSocketOptions withSnapLength(int bytes) {
        return new PacketSocketOptions(
                interfaceName, bytes, isPromiscuous, blockBytes, blocks, blockTimeoutMs, clock, idleStrategy);
    }

    /** With frames for other machines, or without. */
    public PacketSocketOptions withPromiscuous(boolean isPromiscuous) {
        return new PacketSocketOptions(
                interfaceName, snapLength, isPromiscuous, blockBytes, blocks, blockTimeoutMs, clock, idleStrategy);
    }

    /** With another ring. */
    public PacketSocketOptions withRing(int blockBytes, int blocks) {
        return new PacketSocketOptions(
                interfaceName, snapLength, isPromiscuous, blockBytes, blocks, blockTimeoutMs, clock, idleStrategy);
    }

    /** Stamped by another clock. */
    public PacketSocketOptions withClock(TimestampClock clock) {
        return new PacketSocketOptions(
                interfaceName, snapLength, isPromiscuous, blockBytes, blocks, blockTimeoutMs, clock, idleStrategy);
    }

    /** With another way to wait. */
    public PacketSocketOptions withIdleStrategy(IdleStrategy idleStrategy) {
        return new PacketSocketOptions(
                interfaceName, snapLength, isPromiscuous, blockBytes, blocks, blockTimeoutMs, clock, idleStrategy);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is outside " + least + " to " + most);
        }
    }
}
