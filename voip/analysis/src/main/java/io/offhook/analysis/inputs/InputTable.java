package io.offhook.analysis.inputs;

import java.util.Arrays;

/**
 * At which inputs something was seen, by its hash. Bounded: of very many, those that were not seen for the longest time are
 * forgotten. Single-threaded; allocates nothing once it has grown.
 */
final class InputTable {
    private static final int FIRST_SLOTS = 64;
    private static final int PROBES = 16;

    private final int mostSlots;
    /** By hash, 0 for an empty slot: a bit for each input. */
    private long[] young = new long[FIRST_SLOTS];

    private long[] youngInputs = new long[FIRST_SLOTS];
    private long[] old = new long[FIRST_SLOTS];
    private long[] oldInputs = new long[FIRST_SLOTS];
    private int count;

    /** @param mostSlots a power of two, 64 or more: twice as many things as are remembered at least */
    InputTable(int mostSlots) {
        this.mostSlots = mostSlots;
    }

    /** Notes where something was seen. */
    void seen(long hash, int input) {
        long key = key(hash);
        int at = find(young, key);
        if (young[at] == key) {
            youngInputs[at] |= 1L << input;
            return;
        }
        if (2 * count >= young.length) {
            makeRoom();
            at = find(young, key);
        }
        count += young[at] == 0 ? 1 : 0;
        young[at] = key;
        youngInputs[at] = earlier(key) | 1L << input;
    }

    /** Where something was seen, a bit for each input; 0 if it was not, or is forgotten. */
    long of(long hash) {
        long key = key(hash);
        int at = find(young, key);
        return young[at] == key ? youngInputs[at] : earlier(key);
    }

    private long earlier(long key) {
        int at = find(old, key);
        return old[at] == key ? oldInputs[at] : 0;
    }

    private static long key(long hash) {
        return hash == 0 ? 1 : hash;
    }

    private void makeRoom() {
        if (young.length < mostSlots) {
            long[] keys = young;
            long[] inputs = youngInputs;
            young = new long[2 * keys.length];
            youngInputs = new long[2 * keys.length];
            for (int i = 0; i < keys.length; i++) {
                if (keys[i] != 0) {
                    int at = find(young, keys[i]);
                    young[at] = keys[i];
                    youngInputs[at] = inputs[i];
                }
            }
            return;
        }
        long[] keys = old.length == young.length ? old : new long[young.length];
        long[] inputs = old.length == young.length ? oldInputs : new long[young.length];
        old = young;
        oldInputs = youngInputs;
        young = keys;
        youngInputs = inputs;
        Arrays.fill(young, 0);
        count = 0;
    }

    /** The slot of a key, an empty one, or one that is taken from another: hashes that collide on purpose cost only each other. */
    private static int find(long[] keys, long key) {
        int mask = keys.length - 1;
        int first = (int) (key >>> 20) & mask;
        for (int i = 0; i < PROBES; i++) {
            int at = first + i & mask;
            if (keys[at] == key || keys[at] == 0) {
                return at;
            }
        }
        return first;
    }
}
