package io.offhook.analysis.frames;

import java.util.Arrays;

/**
 * Frames with duplicates of fragments, each with the frame that completed its datagram, until it is known what the
 * datagrams carried. Single-threaded.
 */
public final class LateDuplicates {
    /** 16 MB; further ones are counted only. */
    public static final int MOST = 1 << 20;

    /** Pairs: the completing frame, and the frame with the duplicate. */
    private long[] pairs = {};

    private int count;
    private long dropped;

    public void add(long completingFrame, long frame) {
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

    public int count() {
        return count;
    }

    public long completingFrame(int i) {
        return pairs[2 * i];
    }

    public long frame(int i) {
        return pairs[2 * i + 1];
    }

    /** The duplicates that there was no room for. */
    public long dropped() {
        return dropped;
    }
}
