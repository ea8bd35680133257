package io.offhook.forward.stage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Token buckets by key, with a common rate and depth. A bucket is stored as the time at which it will be full again
 * (the generic cell rate algorithm, ITU-T I.371, A), so it is one word, and a full bucket carries no state: such
 * buckets are evicted when the table is full. Thread-safe without locks.
 */
public final class TokenBuckets {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int WAYS = 8;
    /** Fractions of a nanosecond, for precision at rates of many millions per second. */
    private static final int SCALE = 64;

    private final long unitsPerSecond;
    private final long depth;
    private final long[] keys;
    private final long[] fullAt;
    private final int mask;
    private final long startNs;

    /**
     * Creates a table of full buckets.
     *
     * @param capacity the most keys, 1 to 1,048,576, rounded up to a power of two
     * @param unitsPerSecond the rate of refill, 1 to 10^12
     * @param depthNs the depth: as much as is refilled in this time, at least one packet
     * @param nowNs the time, by the clock of {@link #take}
     */
    public TokenBuckets(int capacity, long unitsPerSecond, long depthNs, long nowNs) {
        int size = Math.max(WAYS, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1);
        this.unitsPerSecond = unitsPerSecond;
        depth = depthNs * SCALE;
        keys = new long[size];
        fullAt = new long[size];
        mask = size / WAYS - 1;
        startNs = nowNs;
    }

    /**
     * Takes units from a bucket if it holds as many.
     *
     * @param key any but 0
     * @param units 1 to 1,000,000
     * @return false if it does not, or there is no room for another bucket; nothing is taken then
     */
    boolean take(long key, long units, long nowNs) {
        long now = (nowNs - startNs + 1) * SCALE;
        int slot = slot(key, now);
        if (slot < 0) {
            return false;
        }
        long cost = units * 1_000_000_000L / unitsPerSecond * SCALE
                + units * 1_000_000_000L % unitsPerSecond * SCALE / unitsPerSecond;
        while (true) {
            long before = (long) WORD.getOpaque(fullAt, slot);
            long after = Math.max(before, now) + cost;
            if (after - now > Math.max(depth, cost)) { // a bucket with a smaller depth than the cost must be full
                return false;
            }
            if (WORD.compareAndSet(fullAt, slot, before, after)) {
                return true;
            }
        }
    }

    /** Whether a key has a bucket; if not, there was no room for one. */
    boolean has(long key) {
        return find(key) >= 0;
    }

    private int first(long key) {
        return (int) (key * 0x9e3779b97f4a7c15L >>> 40 & mask) * WAYS;
    }

    private int find(long key) {
        int first = first(key);
        for (int i = first; i < first + WAYS; i++) {
            if ((long) WORD.getOpaque(keys, i) == key) {
                return i;
            }
        }
        return -1;
    }

    /** The slot of a key: its own, a free one, or that of a full bucket, which is as good as a new one. */
    private int slot(long key, long now) {
        int own = find(key);
        if (own >= 0) {
            return own;
        }
        int first = first(key);
        for (int i = first; i < first + WAYS; i++) {
            long other = (long) WORD.getOpaque(keys, i);
            if ((other == 0 || (long) WORD.getOpaque(fullAt, i) <= now) && WORD.compareAndSet(keys, i, other, key)) {
                return i;
            }
        }
        return -1;
    }
}
