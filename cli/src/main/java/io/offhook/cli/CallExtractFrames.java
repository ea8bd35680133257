package io.offhook.cli;

import java.util.BitSet;

/** Numbers of frames in the order of a capture, 1-based: a bit each. Single-threaded. */
final class CallExtractFrames {
    private final BitSet frames = new BitSet();

    /** @param number 1 to 2^31 - 1 */
    void add(long number) {
        if (number > Integer.MAX_VALUE) {
            throw new MisuseException("packet " + number
                    + " of a call is beyond the first 2,147,483,647; --until, or fewer files, cut the capture");
        }
        frames.set((int) number);
    }

    boolean contains(long number) {
        return number <= Integer.MAX_VALUE && frames.get((int) number);
    }

    int count() {
        return frames.cardinality();
    }
}
