package io.offhook.analysis.frames;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A set of frame numbers, 1-based, as bits; on request also the calls of each frame, eight bytes per pair.
 * Single-threaded.
 */
public final class FrameNumbers {
    private static final int CALL_BITS = 20;
    private static final int PART_BITS = 30;

    /** By the upper bits of the number. */
    private BitSet[] parts = {new BitSet()};

    private final boolean isByCall;
    /** Pairs with the frame in the upper bits and the call in the lower ones. */
    private long[] pairs = {};

    private int count;
    private boolean isSorted = true;

    /** @param isByCall whether {@link #firstOf} will be called */
    public FrameNumbers(boolean isByCall) {
        this.isByCall = isByCall;
    }

    /** @param number 1 to 2^43 */
    public void add(long number) {
        int part = (int) (number >>> PART_BITS);
        if (part >= parts.length) {
            int known = parts.length;
            parts = Arrays.copyOf(parts, part + 1);
            for (int i = known; i < parts.length; i++) {
                parts[i] = new BitSet();
            }
        }
        parts[part].set((int) (number & (1 << PART_BITS) - 1));
    }

    /** @param call from 0, below 2^20 */
    public void add(long number, int call) {
        add(number);
        if (!isByCall) {
            return;
        }
        if (count == pairs.length) {
            pairs = Arrays.copyOf(pairs, Math.max(1024, count + count / 2));
        }
        pairs[count++] = number << CALL_BITS | call;
        isSorted = false;
    }

    public boolean contains(long number) {
        int part = (int) (number >>> PART_BITS);
        return part < parts.length && parts[part].get((int) (number & (1 << PART_BITS) - 1));
    }

    public int count() {
        int sum = 0;
        for (BitSet part : parts) {
            sum += part.cardinality();
        }
        return sum;
    }

    /** The index of the first call of a frame; they go on while {@link #isOf} is true, and may repeat. */
    public int firstOf(long number) {
        if (!isSorted) {
            Arrays.sort(pairs, 0, count);
            isSorted = true;
        }
        int found = Arrays.binarySearch(pairs, 0, count, number << CALL_BITS);
        int at = found < 0 ? ~found : found;
        while (at > 0 && isOf(at - 1, number)) {
            at--;
        }
        return at;
    }

    public boolean isOf(int at, long number) {
        return at < count && pairs[at] >>> CALL_BITS == number;
    }

    public int call(int at) {
        return (int) (pairs[at] & (1 << CALL_BITS) - 1);
    }
}
