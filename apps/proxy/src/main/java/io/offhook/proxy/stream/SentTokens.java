package io.offhook.proxy.stream;

import java.util.Arrays;

/**
 * The tokens of messages that are queued on a connection, with the position in its stream at which each ends; first in,
 * first out. As many as messages fit into the connection's queue. Not thread-safe.
 */
final class SentTokens {
    private static final long[] NONE = {};

    /** Token and position in turn; its length is a power of two. */
    private long[] entries = NONE;

    private int first;
    private int count;

    /** @param end the position behind the message */
    void add(long token, long end) {
        if (2 * count == entries.length) {
            long[] larger = new long[Math.max(8, 2 * entries.length)];
            for (int i = 0; i < 2 * count; i++) {
                larger[i] = entries[2 * first + i & entries.length - 1];
            }
            entries = larger;
            first = 0;
        }
        int at = 2 * (first + count) & entries.length - 1;
        entries[at] = token;
        entries[at + 1] = end;
        count++;
    }

    /** Removes those whose messages have left; an idle connection holds no array. */
    void forgetSent(long sentBytes) {
        while (count > 0 && entries[2 * first + 1 & entries.length - 1] <= sentBytes) {
            first = first + 1 & entries.length / 2 - 1;
            count--;
        }
        if (count == 0) {
            entries = NONE;
            first = 0;
        }
    }

    /** Removes and returns all, in order. */
    long[] takeAll() {
        long[] tokens = new long[count];
        Arrays.setAll(tokens, i -> entries[2 * (first + i) & entries.length - 1]);
        count = 0;
        forgetSent(0);
        return tokens;
    }
}
