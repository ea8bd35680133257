package io.offhook.forward.stage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ports of MAC addresses, as a bridge learns them (IEEE 802.1D, 7.9). Bounded; an address not seen for the ageing
 * time is forgotten. Thread-safe without locks: an entry is one word.
 *
 * <pre>
 *  63             16     10      0
 * +----------------+------+-------+
 * |  MAC address   | port | stamp |    stamp: eighths of the ageing time, modulo 1024; 1023 never ages
 * +----------------+------+-------+
 * </pre>
 */
public final class MacTable {
    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int WAYS = 8;
    private static final int STAMPS = 1023;
    private static final int FOREVER = 1023;
    private static final int EIGHTHS = 8;

    // results of putting an entry
    private static final int DONE = 0;
    private static final int LOST = 1;
    private static final int FULL = 2;

    private final long[] entries;
    private final int mask;
    private final long unitNs;
    private final AtomicLong evicted = new AtomicLong();
    private final AtomicLong moved = new AtomicLong();

    /**
     * Creates an empty table.
     *
     * @param capacity the most addresses, rounded up to a power of two, 8 to 1,048,576
     * @param ageingNs 1 s to 1,000,000 s (IEEE 802.1D, table 7-5)
     */
    public MacTable(int capacity, long ageingNs) {
        if (capacity < WAYS || capacity > 1 << 20) {
            throw new IllegalArgumentException("capacity " + capacity + " is outside 8 to 1048576");
        }
        if (ageingNs < 1_000_000_000L || ageingNs > 1_000_000_000_000_000L) {
            throw new IllegalArgumentException("ageing time " + ageingNs + " ns is outside 1 s to 1000000 s");
        }
        int size = Integer.highestOneBit(capacity - 1) << 1;
        entries = new long[size];
        mask = size / WAYS - 1;
        unitNs = ageingNs / EIGHTHS;
    }

    private int bucket(long address) {
        long hash = address * 0x9e3779b97f4a7c15L;
        return (int) (hash >>> 40 & mask) * WAYS;
    }

    /** Converts a time to the stamp of entries. Costs two divisions, so callers convert the time of a burst once. */
    int stamp(long nowNs) {
        return Math.floorMod(nowNs / unitNs, STAMPS);
    }

    private static boolean isOld(long entry, int now) {
        int stamp = (int) (entry & 1023);
        return stamp != FOREVER && Math.floorMod(now - stamp, STAMPS) > EIGHTHS;
    }

    /** The port of an address, or -1 if unknown. */
    public int port(long address, long nowNs) {
        return portAt(address, stamp(nowNs));
    }

    /** As {@link #port}, at a {@link #stamp}. */
    int portAt(long address, int now) {
        int bucket = bucket(address);
        for (int i = bucket; i < bucket + WAYS; i++) {
            long entry = (long) ENTRY.getOpaque(entries, i);
            if (entry >>> 16 == address && entry != 0) {
                return isOld(entry, now) ? -1 : (int) (entry >>> 10 & 63);
            }
        }
        return -1;
    }

    /**
     * Learns that an address was seen at a port. If its bucket is full, the oldest entry there is evicted and counted.
     */
    public void learn(long address, int port, long nowNs) {
        learnAt(address, port, stamp(nowNs));
    }

    /** As {@link #learn}, at a {@link #stamp}. */
    void learnAt(long address, int port, int now) {
        put(address, port, now);
    }

    /** Adds a static address, which neither moves nor ages. @return false if its bucket is full of such addresses */
    public boolean pin(long address, int port) {
        int result = put(address, port, FOREVER);
        while (result == LOST) { // to a lane that learned at the same time: try again
            result = put(address, port, FOREVER);
        }
        return result == DONE;
    }

    /** Removes an address, static or learned. */
    public void forget(long address) {
        int bucket = bucket(address);
        for (int i = bucket; i < bucket + WAYS; i++) {
            long entry = (long) ENTRY.getOpaque(entries, i);
            if (entry >>> 16 == address) {
                boolean _ = ENTRY.compareAndSet(entries, i, entry, 0L);
            }
        }
    }

    private int put(long address, int port, int now) {
        long wanted = address << 16 | (long) port << 10 | now;
        int bucket = bucket(address);
        int oldest = -1;
        int age = -1;
        for (int i = bucket; i < bucket + WAYS; i++) {
            long entry = (long) ENTRY.getOpaque(entries, i);
            if (entry >>> 16 == address && entry != 0) {
                return refresh(i, entry, wanted, now) ? DONE : LOST;
            }
            int ageHere = entry == 0 ? Integer.MAX_VALUE : age(entry, now);
            if (ageHere > age) {
                age = ageHere;
                oldest = i;
            }
        }
        if (oldest < 0) {
            return FULL; // all are static
        }
        long entry = (long) ENTRY.getOpaque(entries, oldest);
        if ((entry & 1023) == FOREVER && entry != 0 || !ENTRY.compareAndSet(entries, oldest, entry, wanted)) {
            return LOST;
        }
        if (entry != 0 && !isOld(entry, now)) {
            evicted.incrementAndGet();
        }
        return DONE;
    }

    /** @return the age in stamps; -1 for static entries */
    private static int age(long entry, int now) {
        int stamp = (int) (entry & 1023);
        return stamp == FOREVER ? -1 : now == FOREVER ? STAMPS : Math.floorMod(now - stamp, STAMPS);
    }

    /** @return false if another lane was faster */
    private boolean refresh(int i, long entry, long wanted, int now) {
        boolean isPinned = (entry & 1023) == FOREVER;
        if (entry == wanted || isPinned && now != FOREVER) {
            return true;
        }
        if (!ENTRY.compareAndSet(entries, i, entry, wanted)) {
            return false;
        }
        if (!isPinned && (entry >>> 10 & 63) != (wanted >>> 10 & 63) && !isOld(entry, now)) {
            moved.incrementAndGet();
        }
        return true;
    }

    /**
     * Removes expired entries in a part of the table; called often enough, it prevents stamps from wrapping around.
     *
     * @param turn selects the part; incremented by each call
     */
    public void age(long nowNs, long turn) {
        int now = stamp(nowNs);
        int parts = 256;
        int size = Math.max(1, entries.length / parts);
        int first = Math.floorMod(turn, entries.length / size) * size;
        for (int i = first; i < first + size; i++) {
            long entry = (long) ENTRY.getOpaque(entries, i);
            if (entry != 0 && isOld(entry, now)) {
                boolean _ = ENTRY.compareAndSet(entries, i, entry, 0L);
            }
        }
    }

    /** The number of addresses, including expired ones. */
    public int count() {
        int count = 0;
        for (int i = 0; i < entries.length; i++) {
            count += (long) ENTRY.getOpaque(entries, i) == 0 ? 0 : 1;
        }
        return count;
    }

    /** How many addresses were evicted for want of room. */
    public long evicted() {
        return evicted.get();
    }

    /** How often an address moved to another port. */
    public long moved() {
        return moved.get();
    }
}
