package io.offhook.forward.stage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which port a MAC address is behind, as a bridge learns it (IEEE 802.1D, 7.9). Bounded; an address that was not seen for the
 * ageing time is forgotten. Any number of lanes read and learn at a time, without locks: an entry is one word.
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

    // what became of an entry to put
    private static final int DONE = 0;
    private static final int LOST = 1;
    private static final int FULL = 2;

    private final long[] entries;
    private final int mask;
    private final long unitNs;
    private final AtomicLong evicted = new AtomicLong();
    private final AtomicLong moved = new AtomicLong();

    /**
     * An empty table.
     *
     * @param capacity addresses, rounded up to a power of two, 8 to 1,048,576
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

    /** A time as entries have it; who looks often at one time asks for it once, since it takes two divisions. */
    int stamp(long nowNs) {
        return Math.floorMod(nowNs / unitNs, STAMPS);
    }

    private static boolean isOld(long entry, int now) {
        int stamp = (int) (entry & 1023);
        return stamp != FOREVER && Math.floorMod(now - stamp, STAMPS) > EIGHTHS;
    }

    /** The port that an address is behind, or -1 where that is not known. */
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

    /** Notes that an address was seen at a port. Where its place is full, the oldest entry there gives way, and is counted. */
    public void learn(long address, int port, long nowNs) {
        learnAt(address, port, stamp(nowNs));
    }

    /** As {@link #learn}, at a {@link #stamp}. */
    void learnAt(long address, int port, int now) {
        put(address, port, now);
    }

    /** Puts an address that neither moves nor ages; @return false where its place is full of such, and it was not put */
    public boolean pin(long address, int port) {
        int result = put(address, port, FOREVER);
        while (result == LOST) { // to a lane that learns: it is tried again
            result = put(address, port, FOREVER);
        }
        return result == DONE;
    }

    /** Forgets an address, pinned or not. */
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
            return FULL; // all of them stay for ever
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

    /** @return -1 of one that stays for ever */
    private static int age(long entry, int now) {
        int stamp = (int) (entry & 1023);
        return stamp == FOREVER ? -1 : now == FOREVER ? STAMPS : Math.floorMod(now - stamp, STAMPS);
    }

    /** @return false where another lane was faster */
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
     * Forgets what is old, in a part of the table: called often enough, it keeps stamps from being met again.
     *
     * @param turn which part: any number, one more each time
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

    /** Addresses in it, old ones included. */
    public int count() {
        int count = 0;
        for (int i = 0; i < entries.length; i++) {
            count += (long) ENTRY.getOpaque(entries, i) == 0 ? 0 : 1;
        }
        return count;
    }

    /** How many addresses were forgotten for want of room. */
    public long evicted() {
        return evicted.get();
    }

    /** How often an address was seen at another port than before. */
    public long moved() {
        return moved.get();
    }
}
