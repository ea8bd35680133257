package io.offhook.forward.stage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Token buckets by key, of one rate and one depth. Each is kept as the time at which it will be full again (the generic cell
 * rate algorithm, ITU-T I.371, A), so that a bucket is one word and an idle one is worth nothing: that is what gives way when
 * the table is full. Any number of lanes use it at a time, without locks.
 */
public final class TokenBuckets {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int WAYS = 8;
    /** Parts of a nanosecond, so that rates of many millions a second come out right. */
    private static final int SCALE = 64;

    private final long unitsPerSecond;
    private final long depth;
    private final long[] keys;
    private final long[] fullAt;
    private final int mask;
    private final long startNs;

    /**
     * Full buckets.
     *
     * @param capacity keys, rounded up to a power of two, 1 to 1,048,576
     * @param unitsPerSecond what flows in, 1 to 10^12
     * @param depthNs what a full bucket holds: as much as flows in in that time, and one packet at least
     * @param nowNs the time, of the clock that {@link #take} is told
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
     * Takes from a bucket, if it holds so much.
     *
     * @param key any but 0
     * @param units 1 to 1,000,000
     * @return false where it does not, or there is no room for a bucket more: then nothing is taken
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
            if (after - now > Math.max(depth, cost)) { // one that holds less than is asked for has to be full
                return false;
            }
            if (WORD.compareAndSet(fullAt, slot, before, after)) {
                return true;
            }
        }
    }

    /** Whether a key has a bucket: where it has none, there was no room for it. */
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

    /** The slot of a key: its own, an empty one, or that of a bucket which is full, as a new one would be. */
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
