package io.offhook.transport;

import java.util.ArrayDeque;

/**
 * Arrays that the connections of a loop borrow while bytes wait in them: in sizes of powers of two from 1 to 128 KiB, larger
 * ones not kept. Thread-safe.
 */
final class OctetPool {
    private static final int SMALLEST_SHIFT = 10;
    private static final int CLASSES = 8;

    private final long mostKept;
    private long kept;
    private long borrowed;
    /** By size; the arrays that nobody uses. */
    private final ArrayDeque<byte[]>[] free;

    /** @param mostKept the most bytes kept for later; more are left to the collector */
    @SuppressWarnings({"unchecked", "rawtypes"})
    OctetPool(long mostKept) {
        this.mostKept = mostKept;
        free = new ArrayDeque[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            free[i] = new ArrayDeque<>();
        }
    }

    /** An array of at least so many bytes, with any content. */
    byte[] borrow(int atLeast) {
        int shift = Math.max(SMALLEST_SHIFT, 32 - Integer.numberOfLeadingZeros(atLeast - 1));
        int kind = shift - SMALLEST_SHIFT;
        byte[] octets = null;
        synchronized (this) {
            if (kind < CLASSES) {
                octets = free[kind].pollLast();
            }
            if (octets != null) {
                kept -= octets.length;
            }
            borrowed += 1L << shift;
        }
        return octets == null ? new byte[1 << shift] : octets;
    }

    synchronized void giveBack(byte[] octets) {
        borrowed -= octets.length;
        int kind = Integer.numberOfTrailingZeros(octets.length) - SMALLEST_SHIFT;
        if (kind < CLASSES && kept + octets.length <= mostKept) {
            kept += octets.length;
            free[kind].addLast(octets);
        }
    }

    /** The bytes of arrays that are in use. */
    synchronized long borrowedBytes() {
        return borrowed;
    }
}
