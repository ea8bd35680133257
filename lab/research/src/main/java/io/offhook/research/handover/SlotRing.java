package io.offhook.research.handover;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A ring of slots of one size in native memory: one thread writes packets, one or more read them, each every n-th.
 *
 * <pre>
 * +-----------+----------+----------+-----+--------+------+--------+------+-----
 * | published | reader 0 | reader 1 | ... | length | slot | length | slot | ...
 * +-----------+----------+----------+-----+--------+------+--------+------+-----
 *   128 bytes   128        128              8
 * </pre>
 *
 * <p>Only one thread writes a cursor, which has 128 bytes to itself: a cache line, and the one that is fetched with it. It is
 * followed by the values that this thread last read of the other cursors; they are read again only if the ring seems full
 * or empty. All mutable state is there; in a Java object it would share cache lines with fields that other threads read.
 * There are no locks; callers decide how to wait.
 *
 * <p>The product does not use it (docs/decisions/0010).
 */
final class SlotRing {
    private static final VarHandle CURSOR = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle LENGTH = ValueLayout.JAVA_LONG.varHandle();
    private static final int CURSOR_BYTES = 128;
    private static final int LENGTH_BYTES = 8;
    private static final int LINE = 64;
    /** After a cursor, the last known values of others. */
    private static final int KNOWN = 8;

    private static final int MAX_READERS = (CURSOR_BYTES - KNOWN) / Long.BYTES;

    private final MemorySegment memory;
    private final int slots;
    private final int readers;
    private final long firstSlot;
    private final long slotBytes;

    /**
     * @param slots a power of two, not below the number of readers
     * @param slotBytes the longest packet it takes
     * @param readers a power of two, 1 to 8
     * @param arena of its memory
     */
    SlotRing(int slots, int slotBytes, int readers, Arena arena) {
        if (Integer.bitCount(slots) != 1 || Integer.bitCount(readers) != 1 || readers > Math.min(slots, MAX_READERS)) {
            throw new IllegalArgumentException(slots + " slots for " + readers
                    + " readers: both are powers of two, of readers there are 8 at most");
        }
        this.slots = slots;
        this.readers = readers;
        // whole cache lines, an odd number of them: packets begin in all sets of a cache, not in a few
        this.slotBytes = ((long) LENGTH_BYTES + slotBytes + LINE - 1) / LINE * LINE | LINE;
        firstSlot = (long) CURSOR_BYTES * (1 + readers);
        memory = arena.allocate(firstSlot + slots * this.slotBytes, CURSOR_BYTES);
        for (int i = 0; i < readers; i++) {
            CURSOR.set(memory, cursorOf(i), (long) i);
            CURSOR.set(memory, knownOf(i), (long) i);
        }
    }

    private static long cursorOf(int reader) {
        return (long) CURSOR_BYTES * (1 + reader);
    }

    /** The position of the last value of a reader's cursor that the writer knows. */
    private static long knownOf(int reader) {
        return KNOWN + (long) Long.BYTES * reader;
    }

    private long slotOf(long sequence) {
        return firstSlot + (sequence & slots - 1) * slotBytes;
    }

    /** The position of the slots. */
    MemorySegment memory() {
        return memory;
    }

    /** For the writer: the position for the next packet, or -1 if its slot was not read yet. */
    long claim() {
        long next = (long) CURSOR.get(memory, 0L);
        long before = next - slots;
        if (before >= 0) {
            int reader = (int) before & readers - 1;
            if ((long) CURSOR.get(memory, knownOf(reader)) <= before) {
                long released = (long) CURSOR.getAcquire(memory, cursorOf(reader));
                CURSOR.set(memory, knownOf(reader), released);
                if (released <= before) {
                    return -1;
                }
            }
        }
        return slotOf(next) + LENGTH_BYTES;
    }

    /** For the writer: publishes the packet written at the position of {@link #claim()}. */
    void publish(int length) {
        long next = (long) CURSOR.get(memory, 0L);
        LENGTH.set(memory, slotOf(next), (long) length);
        CURSOR.setRelease(memory, 0L, next + 1);
    }

    /**
     * Returns a reader, for its thread.
     *
     * @param index 0 to the number of readers, exclusive
     */
    Reader reader(int index) {
        return new Reader(index);
    }

    /** Reads every n-th packet, in order. */
    final class Reader {
        private final long cursor;

        private Reader(int index) {
            cursor = cursorOf(index);
        }

        /** Returns the position of the next packet, or -1 if there is none yet. */
        long next() {
            long position = (long) CURSOR.get(memory, cursor);
            if (position >= (long) CURSOR.get(memory, cursor + KNOWN)) {
                long published = (long) CURSOR.getAcquire(memory, 0L);
                CURSOR.set(memory, cursor + KNOWN, published);
                if (position >= published) {
                    return -1;
                }
            }
            return slotOf(position) + LENGTH_BYTES;
        }

        /** Returns the length of that packet in bytes. */
        int length() {
            return (int) (long) LENGTH.get(memory, slotOf((long) CURSOR.get(memory, cursor)));
        }

        /** Returns the slot of that packet to the writer. */
        void release() {
            CURSOR.setRelease(memory, cursor, (long) CURSOR.get(memory, cursor) + readers);
        }
    }
}
