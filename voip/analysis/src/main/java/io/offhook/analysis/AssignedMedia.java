package io.offhook.analysis;

import java.util.Arrays;

/**
 * The conversations whose call was reported in a batch already, so that it is reported once and not with each packet. Forgets
 * some where many collide: then it is reported again. Single-threaded.
 */
final class AssignedMedia {
    private static final int PLACES = 256;

    private long[] hashes = {};
    private boolean isEmpty = true;

    /** Whether a conversation was not reported yet; then it is now. */
    boolean isNew(long hash) {
        if (hashes.length == 0) {
            hashes = new long[PLACES];
        }
        isEmpty = false;
        int place = (int) (hash ^ hash >>> 32 ^ hash >>> 16) & PLACES - 1;
        long mark = hash | 1; // 0 is an empty place
        boolean isNew = hashes[place] != mark;
        hashes[place] = mark;
        return isNew;
    }

    void clear() {
        if (!isEmpty) {
            Arrays.fill(hashes, 0);
            isEmpty = true;
        }
    }
}
