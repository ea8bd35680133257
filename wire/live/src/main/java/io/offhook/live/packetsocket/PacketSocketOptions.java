package io.offhook.live.packetsocket;

import io.offhook.live.IdleStrategy;
import io.offhook.live.TimestampClock;

/**
 * How to capture from an interface by AF_PACKET.
 *
 * @param interfaceName the name as shown by {@code ip link}
 * @param snapLength the most bytes captured of a packet, 1 to 262,144
 * @param isPromiscuous whether to receive frames for other machines, too
 * @param ring the receive ring
 * @param clock the clock of the timestamps
 * @param idleStrategy how {@link PacketSocketSource#next} waits; {@link IdleStrategy#PARK} by poll(2), in the kernel
 */
public record PacketSocketOptions(
        String interfaceName,
        int snapLength,
        boolean isPromiscuous,
        Ring ring,
        TimestampClock clock,
        IdleStrategy idleStrategy) {
    private static final int MAX_SNAP_LENGTH = 262_144;

    /** Checks the range. */
    public PacketSocketOptions {
        check("snapLength", snapLength, 1, MAX_SNAP_LENGTH);
    }

    /**
     * A receive ring, by whose size a consumer may lag behind.
     *
     * @param blockBytes the size of a block: a power of two, 64 KiB to 64 MiB; packets are delivered a block at a time
     * @param blocks the number of blocks, 2 to 65,536
     * @param blockTimeoutMs the milliseconds after which a block is delivered even if it is not full, 1 to 10,000
     */
    public record Ring(int blockBytes, int blocks, int blockTimeoutMs) {
        /** Checks the ranges. */
        public Ring {
            check("blockBytes", blockBytes, 64 << 10, 64 << 20);
            check("blocks", blocks, 2, 1 << 16);
            check("blockTimeoutMs", blockTimeoutMs, 1, 10_000);
            if (Integer.bitCount(blockBytes) != 1) {
                throw new IllegalArgumentException("blockBytes " + blockBytes + " is not a power of two");
            }
        }
    }

    /**
     * Creates options for all packets, whole, with a ring of 64 MiB, delivered after 10 ms at the latest, and kernel
     * timestamps; the thread sleeps while idle.
     */
    public static PacketSocketOptions of(String interfaceName) {
        Ring ring = new Ring(1 << 20, 64, 10);
        return new PacketSocketOptions(
                interfaceName, MAX_SNAP_LENGTH, true, ring, TimestampClock.KERNEL, IdleStrategy.PARK);
    }

    /** Returns a copy with another snap length in bytes. */
    public PacketSocketOptions withSnapLength(int bytes) {
        return new PacketSocketOptions(interfaceName, bytes, isPromiscuous, ring, clock, idleStrategy);
    }

    /** Returns a copy with or without frames for other machines. */
    public PacketSocketOptions withPromiscuous(boolean isPromiscuous) {
        return new PacketSocketOptions(interfaceName, snapLength, isPromiscuous, ring, clock, idleStrategy);
    }

    /** Returns a copy with another ring. */
    public PacketSocketOptions withRing(Ring ring) {
        return new PacketSocketOptions(interfaceName, snapLength, isPromiscuous, ring, clock, idleStrategy);
    }

    /** Returns a copy with another number and size of blocks. */
    public PacketSocketOptions withRing(int blockBytes, int blocks) {
        return withRing(new Ring(blockBytes, blocks, ring.blockTimeoutMs));
    }

    /** Returns a copy with another clock. */
    public PacketSocketOptions withClock(TimestampClock clock) {
        return new PacketSocketOptions(interfaceName, snapLength, isPromiscuous, ring, clock, idleStrategy);
    }

    /** Returns a copy with another idle strategy. */
    public PacketSocketOptions withIdleStrategy(IdleStrategy idleStrategy) {
        return new PacketSocketOptions(interfaceName, snapLength, isPromiscuous, ring, clock, idleStrategy);
    }

    int blockBytes() {
        return ring.blockBytes;
    }

    int blocks() {
        return ring.blocks;
    }

    int blockTimeoutMs() {
        return ring.blockTimeoutMs;
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is outside " + least + " to " + most);
        }
    }
}
