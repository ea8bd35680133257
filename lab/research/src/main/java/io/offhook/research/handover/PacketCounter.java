package io.offhook.research.handover;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** One thread's look at packets, and what it saw. Others may ask how far it is. */
final class PacketCounter {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int PACKETS = 16;
    private static final int SUM = 17;

    private final PacketLook look;
    private final boolean payload;
    /** In its middle, with 128 bytes on both sides that nobody writes. */
    private final long[] cells = new long[34];

    PacketCounter(PacketLook look, boolean payload) {
        this.look = look;
        this.payload = payload;
    }

    /** What the packet said. */
    long look(MemorySegment segment, long offset, int length) {
        long said = look.look(segment, offset, length, payload);
        cells[SUM] += said;
        CELL.setRelease(cells, PACKETS, cells[PACKETS] + 1);
        return said;
    }

    long packets() {
        return (long) CELL.getAcquire(cells, PACKETS);
    }

    /** Of what it had seen when {@link #packets} was asked last. */
    long sum() {
        return cells[SUM];
    }
}
