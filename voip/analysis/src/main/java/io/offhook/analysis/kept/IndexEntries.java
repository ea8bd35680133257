package io.offhook.analysis.kept;

import java.util.Arrays;

/** The packets of a segment in the order in which they were written: the key of each, and where it begins. Not thread-safe. */
final class IndexEntries {
    /** Each a folded key, and behind it a position in units of four bytes, so that they sort by both. */
    private long[] entries = new long[1 << 12];

    private int count;
    private boolean isSorted;

    void add(long key, long position) {
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, 2 * count);
        }
        entries[count++] = (long) PacketKeys.folded(key) << 32 | position >>> 2;
        isSorted = false;
    }

    int count() {
        return count;
    }

    /** Forgets those behind the first ones. */
    void cut(int toCount) {
        count = toCount;
    }

    IndexEntries copy() {
        IndexEntries copied = new IndexEntries();
        copied.entries = Arrays.copyOf(entries, count);
        copied.count = count;
        copied.isSorted = isSorted;
        return copied;
    }

    /** Sorts them by key and position. */
    void sort() {
        if (!isSorted) {
            Arrays.sort(entries, 0, count);
            isSorted = true;
        }
    }

    int key(int i) {
        return (int) (entries[i] >> 32);
    }

    long position(int i) {
        return (entries[i] & 0xffff_ffffL) << 2;
    }

    /** Of sorted entries, the first one with a key that is not lower. */
    int firstOf(int key) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (key(middle) < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
