package io.offhook.sip.transaction;

import org.jspecify.annotations.Nullable;

/**
 * Kept messages of one thread, in arrays of 512 bytes to 64 KiB that are used again. What is in use is limited in all;
 * what is free is given back to the heap by {@link #trim}.
 */
final class OctetPool {
    /** An array on loan, with the message at its start. */
    static final class Octets {
        final byte[] octets;
        private final int sizeClass;
        int length;
        private @Nullable Octets next;

        private Octets(int sizeClass) {
            this.sizeClass = sizeClass;
            octets = new byte[SMALLEST << sizeClass];
        }
    }

    private static final int SMALLEST = 512;
    private static final int CLASSES = 8;
    private static final int LARGEST = SMALLEST << CLASSES - 1;

    private final long limit;
    private final @Nullable Octets[] free = new Octets[CLASSES];
    private final int[] freeCount = new int[CLASSES];
    private long usedBytes;
    private long freeBytes;
    private long refused;

    /** @param limit the most bytes of arrays on loan */
    OctetPool(long limit) {
        this.limit = limit;
    }

    /** A copy of a message; null, and counted, if it is longer than 64 KiB or the limit is met. */
    @Nullable
    Octets copy(byte[] message, int offset, int length) {
        int sizeClass = length <= SMALLEST ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros((length - 1) / SMALLEST);
        if (length > LARGEST || usedBytes + (SMALLEST << sizeClass) > limit) {
            refused++;
            return null;
        }
        Octets loan = free[sizeClass];
        if (loan == null) {
            loan = new Octets(sizeClass);
        } else {
            free[sizeClass] = loan.next;
            loan.next = null;
            freeCount[sizeClass]--;
            freeBytes -= loan.octets.length;
        }
        usedBytes += loan.octets.length;
        System.arraycopy(message, offset, loan.octets, 0, length);
        loan.length = length;
        return loan;
    }

    /** Takes an array back; null is ignored. */
    void release(@Nullable Octets loan) {
        if (loan == null) {
            return;
        }
        usedBytes -= loan.octets.length;
        freeBytes += loan.octets.length;
        loan.next = free[loan.sizeClass];
        free[loan.sizeClass] = loan;
        freeCount[loan.sizeClass]++;
    }

    /** Drops half of what is free of each size, to be called now and then while the load falls. */
    void trim() {
        for (int i = 0; i < CLASSES; i++) {
            for (int drop = (freeCount[i] + 1) / 2; drop > 0; drop--) {
                Octets loan = free[i];
                assert loan != null;
                free[i] = loan.next;
                freeCount[i]--;
                freeBytes -= loan.octets.length;
            }
        }
    }

    long usedBytes() {
        return usedBytes;
    }

    long freeBytes() {
        return freeBytes;
    }

    long refused() {
        return refused;
    }
}
