package io.offhook.cli;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Numbers of frames in the order of a capture, 1-based: a bit each; where asked for, the calls of each too, eight bytes for
 * every pair. Single-threaded.
 */
final class CallExtractFrames {
    private static final int CALL_BITS = 31;

    private final BitSet frames = new BitSet();
    private final boolean isByCall;
    /** The frame in the upper bits, the call in the lower ones. */
    private long[] pairs = {};

    private int count;
    private boolean isSorted = true;

    CallExtractFrames() {
        this(false);
    }

    /** @param isByCall whether {@link #firstOf} will be asked */
    CallExtractFrames(boolean isByCall) {
        this.isByCall = isByCall;
    }

    /** @param number 1 to 2^31 - 1 */
    void add(long number) {
        if (number > Integer.MAX_VALUE) {
            throw new MisuseException("packet " + number
                    + " of a call is beyond the first 2,147,483,647; --until, or fewer files, cut the capture");
        }
        frames.set((int) number);
    }

    void add(long number, CallExtractHits hits) {
        add(number);
        for (int i = 0; i < hits.count(); i++) {
            add(number, hits.call(i));
        }
    }

    void add(long number, int call) {
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

    /** Adds frames to all calls that another one is of. */
    void addAlike(long number, long[] others) {
        int first = firstOf(number);
        int last = first;
        while (isOf(last, number)) {
            last++;
        }
        int[] calls = new int[last - first];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = call(first + i);
        }
        for (long other : others) {
            add(other);
            for (int call : calls) {
                add(other, call);
            }
        }
    }

    boolean contains(long number) {
        return number <= Integer.MAX_VALUE && frames.get((int) number);
    }

    int count() {
        return frames.cardinality();
    }

    /** Where the calls of a frame begin: they go on as long as {@link #isOf} says, and may repeat themselves. */
    int firstOf(long number) {
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

    boolean isOf(int at, long number) {
        return at < count && pairs[at] >>> CALL_BITS == number;
    }

    int call(int at) {
        return (int) (pairs[at] & Integer.MAX_VALUE);
    }
}
