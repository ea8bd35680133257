package io.offhook.flow.state;

import io.offhook.flow.FlowHash;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A hash table from keys of five longs to small numbers: open addressing with linear probing, keys compared in full.
 * The numbers are dense, so that users can store per-key state in arrays. A number is reused after its key was removed.
 *
 * <p>Part of the hash is keyed by a random secret per table, so that a sender cannot choose colliding keys:
 * pair-multiply-shift (Thorup, "High Speed Hashing for Integers and Strings", 2015, 3.5), under which the upper halves
 * of the sums of any two keys are equal with probability 2^-32. Words are hashed in halves, because a sum of whole
 * words times secrets would lose the upper bits of the secrets for keys that differ in their upper bits only. Lookup
 * results do not depend on the secret; only the positions of keys do.
 */
public final class KeyTable {
    public static final int NONE = -1;

    private static final int WORDS = 5;
    private static final int FIRST_SLOTS = 1024;

    private final int limit;
    // the secret, two per word
    private final long a0;
    private final long a1;
    private final long b0;
    private final long b1;
    private final long c0;
    private final long c1;
    private final long d0;
    private final long d1;
    private final long e0;
    private final long e1;

    /**
     * The hash in the upper half, number + 1 in the lower half; 0 is a free slot. At most half of the slots are used.
     */
    private long[] slots = new long[FIRST_SLOTS];

    private long[] keys = new long[FIRST_SLOTS / 2 * WORDS];
    private int[] released = new int[16];
    private int releasedCount;
    private int numbered;
    private int size;

    /** @param limit the most keys, 1 to 2^24 */
    public KeyTable(int limit) {
        if (limit < 1 || limit > 1 << 24) {
            throw new IllegalArgumentException("limit " + limit + " is not in 1 to " + (1 << 24));
        }
        this.limit = limit;
        ThreadLocalRandom random = ThreadLocalRandom.current();
        a0 = random.nextLong();
        a1 = random.nextLong();
        b0 = random.nextLong();
        b1 = random.nextLong();
        c0 = random.nextLong();
        c1 = random.nextLong();
        d0 = random.nextLong();
        d1 = random.nextLong();
        e0 = random.nextLong();
        e1 = random.nextLong();
    }

    public int size() {
        return size;
    }

    public boolean isFull() {
        return size == limit;
    }

    public int hash(long a, long b, long c, long d, long e) {
        long sum = pair(a, a0, a1) + pair(b, b0, b1) + pair(c, c0, c1) + pair(d, d0, d1) + pair(e, e0, e1);
        return (int) (FlowHash.mix(sum) >>> 32);
    }

    private static long pair(long word, long one, long other) {
        return (one + (word >>> 32)) * (other + (word & 0xffff_ffffL));
    }

    /** Returns the number of a key, or {@link #NONE}. */
    public int find(int hash, long a, long b, long c, long d, long e) {
        long[] slots = this.slots;
        int mask = slots.length - 1;
        int i = hash & mask;
        long slot = slots[i];
        while (slot != 0) {
            if ((int) (slot >>> 32) == hash) {
                int number = (int) slot - 1;
                if (isKey(number, a, b, c, d, e)) {
                    return number;
                }
            }
            i = i + 1 & mask;
            slot = slots[i];
        }
        return NONE;
    }

    /** Adds a key and returns its number. The key must be absent and the table not full. */
    public int add(int hash, long a, long b, long c, long d, long e) {
        if (size == limit) {
            throw new IllegalStateException("the table is full: it holds " + limit + " keys, its limit");
        }
        if ((size + 1) * 2 > slots.length) {
            grow();
        }
        int number = releasedCount > 0 ? released[--releasedCount] : numbered++;
        int word = number * WORDS;
        if (word + WORDS > keys.length) {
            keys = Arrays.copyOf(keys, keys.length * 2);
        }
        keys[word] = a;
        keys[word + 1] = b;
        keys[word + 2] = c;
        keys[word + 3] = d;
        keys[word + 4] = e;
        place(slots, (long) hash << 32 | number + 1);
        size++;
        return number;
    }

    /** Removes the key of this number. */
    public void remove(int number) {
        int word = number * WORDS;
        int hash = hash(keys[word], keys[word + 1], keys[word + 2], keys[word + 3], keys[word + 4]);
        long sought = (long) hash << 32 | number + 1;
        int mask = slots.length - 1;
        int hole = hash & mask;
        while (slots[hole] != sought) {
            if (slots[hole] == 0) {
                throw new IllegalStateException("number " + number + " is not in the table");
            }
            hole = hole + 1 & mask;
        }
        // entries displaced past the hole move back into it, so no tombstones are needed
        int i = hole;
        while (true) {
            i = i + 1 & mask;
            long slot = slots[i];
            if (slot == 0) {
                break;
            }
            int home = (int) (slot >>> 32) & mask;
            if ((i - home & mask) >= (i - hole & mask)) {
                slots[hole] = slot;
                hole = i;
            }
        }
        slots[hole] = 0;
        if (releasedCount == released.length) {
            released = Arrays.copyOf(released, releasedCount * 2);
        }
        released[releasedCount++] = number;
        size--;
    }

    private boolean isKey(int number, long a, long b, long c, long d, long e) {
        int word = number * WORDS;
        return keys[word] == a
                && keys[word + 1] == b
                && keys[word + 2] == c
                && keys[word + 3] == d
                && keys[word + 4] == e;
    }

    private void grow() {
        long[] wider = new long[slots.length * 2];
        for (long slot : slots) {
            if (slot != 0) {
                place(wider, slot);
            }
        }
        slots = wider;
    }

    private static void place(long[] slots, long slot) {
        int mask = slots.length - 1;
        int i = (int) (slot >>> 32) & mask;
        while (slots[i] != 0) {
            i = i + 1 & mask;
        }
        slots[i] = slot;
    }
}
