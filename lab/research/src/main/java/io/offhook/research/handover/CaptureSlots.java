package io.offhook.research.handover;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/**
 * A simulated capture: slots in native memory that hold packets, and a schedule by which packets arrive. A packet that
 * arrives when no slot is free is lost.
 *
 * <p>Packets arrive by the clock, not from a thread, which would occupy one of few processors: whenever the capture thread
 * passes the time, the packets due since the last time arrive in the slots that were free then. As with a network card, no
 * instructions write them; their bytes are in the slots from the start.
 */
final class CaptureSlots {
    static final int COUNT = 4096;
    static final int BYTES = 2048;

    private final MemorySegment memory;
    private final int[] length = new int[COUNT];
    private double packetsPerNs;
    private long startNs;
    private long due;
    private long arrived;
    private long released;
    private long lost;

    CaptureSlots(Arena arena) {
        memory = arena.allocate((long) COUNT * BYTES, 128);
        Random random = new Random(5060);
        for (int i = 0; i < COUNT; i++) {
            length[i] = write(memory, (long) i * BYTES, random);
        }
    }

    /** A UDP packet as in VoIP: 80 % G.711, 10 % short, 10 % SIP; one in eight with a VLAN tag. */
    private static int write(MemorySegment to, long at, Random random) {
        int kind = random.nextInt(10);
        int payload = kind < 8 ? 172 : kind == 8 ? random.nextInt(20, 60) : random.nextInt(500, 1400);
        boolean tagged = random.nextInt(8) == 0;
        long ip = at + (tagged ? 18 : 14);
        NetworkOrder.putBits64(to, at, random.nextLong());
        NetworkOrder.putU32(to, at + 8, random.nextLong(1L << 32));
        NetworkOrder.putU16(to, at + 12, tagged ? 0x8100 : 0x0800);
        if (tagged) {
            NetworkOrder.putU16(to, at + 14, random.nextInt(4096));
            NetworkOrder.putU16(to, at + 16, 0x0800);
        }
        NetworkOrder.putU16(to, ip, 0x4500);
        NetworkOrder.putU16(to, ip + 2, 28 + payload);
        NetworkOrder.putU32(to, ip + 4, random.nextInt(1 << 16) * 0x1_0000L);
        NetworkOrder.putU16(to, ip + 8, random.nextInt(32, 65) << 8 | 17);
        NetworkOrder.putU32(to, ip + 12, 0x0a00_0000L | random.nextInt(1 << 24));
        NetworkOrder.putU32(to, ip + 16, 0x0a00_0000L | random.nextInt(1 << 24));
        NetworkOrder.putU16(to, ip + 20, random.nextInt(1024, 65_536));
        NetworkOrder.putU16(to, ip + 22, random.nextInt(1024, 65_536));
        NetworkOrder.putU16(to, ip + 24, 8 + payload);
        for (int i = 0; i < payload; i++) {
            NetworkOrder.putU8(to, ip + 28 + i, random.nextInt(256));
        }
        return (int) (ip - at) + 28 + payload;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Returns the slot of a packet by its number since {@link #start}. */
    long offset(long packet) {
        return (packet & COUNT - 1) * BYTES;
    }

    int length(long packet) {
        return length[(int) packet & COUNT - 1];
    }

    /** Frees all slots; packets arrive from now on. */
    void start(long nowNs, double packetsPerSecond) {
        packetsPerNs = packetsPerSecond / 1e9;
        startNs = nowNs;
        due = 0;
        arrived = 0;
        released = 0;
        lost = 0;
    }

    /** Returns whether a packet is waiting, after due packets have arrived. */
    boolean isWaiting(long nowNs) {
        long dueNow = (long) ((nowNs - startNs) * packetsPerNs);
        long more = dueNow - due;
        long free = COUNT - (arrived - released);
        long kept = Math.min(more, free);
        due = dueNow;
        arrived += kept;
        lost += more - kept;
        return arrived > released;
    }

    /** Returns the number of the packet that has waited longest. */
    long first() {
        return released;
    }

    /** Frees its slot; call {@link #isWaiting} first, with the same time, for packets that arrived before. */
    void release() {
        released++;
    }

    long lost() {
        return lost;
    }

    long arrived() {
        return arrived;
    }
}
