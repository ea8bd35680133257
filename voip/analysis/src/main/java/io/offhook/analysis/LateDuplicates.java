package io.offhook.analysis;

import java.util.Arrays;

/**
 * Frames with duplicates of fragments, each with the frame that completed its datagram, until it is known what the
 * datagrams carried. Single-threaded.
 */
final class LateDuplicates {
    /** 16 MB; further ones are counted only. */
    static final int MOST = 1 << 20;

    /** Pairs: the completing frame, and the frame with the duplicate. */
    private long[] pairs = {};

    private int count;
    private long dropped;

    void add(long completingFrame, long frame) {
        if (count == MOST) {
            dropped++;
            return;
        }
        if (2 * count == pairs.length) {
            pairs = Arrays.copyOf(pairs, Math.max(64, 4 * count));
        }
        pairs[2 * count] = completingFrame;
        pairs[2 * count + 1] = frame;
        count++;
    }

    int count() {
        return count;
    }

    long completingFrame(int i) {
        return pairs[2 * i];
    }

    long frame(int i) {
        return pairs[2 * i + 1];
    }

    /** The duplicates that there was no room for. */
    long dropped() {
        return dropped;
    }
}
