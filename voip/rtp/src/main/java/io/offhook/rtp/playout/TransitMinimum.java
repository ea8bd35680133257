package io.offhook.rtp.playout;

import java.util.Arrays;

/**
 * The least transit time among the packets of the last two seconds. Holds only those that can still become the least:
 * each is followed by greater ones, so that the first is the answer. Up to {@value #LIMIT} of them; a stream that slows
 * down steadily at a higher rate of packets forgets the second oldest.
 */
final class TransitMinimum {
    private static final long SPAN_NS = 2_000_000_000L;
    private static final int LIMIT = 512;

    /** What there is no least transit time of. */
    static final long NONE = Long.MAX_VALUE;

    /** Arrival and transit time in turn, as a ring. */
    private long[] ring = new long[8];

    private int first;
    private int count;

    void clear() {
        first = 0;
        count = 0;
    }

    /** Adds a packet and returns the least transit time, its own included. */
    long add(long arrivalNs, long x) {
        long[] r = ring;
        int mask = r.length - 1;
        int from = first;
        int n = count;
        long untilNs = arrivalNs - SPAN_NS;
        while (n > 0 && r[from] <= untilNs) {
            from = from + 2 & mask;
            n--;
        }
        int tail = from + 2 * n;
        while (n > 0 && r[tail - 1 & mask] >= x) {
            tail -= 2;
            n--;
        }
        first = from;
        if (2 * n == r.length) {
            count = n;
            return addToFull(arrivalNs, x);
        }
        tail &= mask;
        r[tail] = arrivalNs;
        r[tail + 1] = x;
        count = n + 1;
        return r[from + 1];
    }

    /** The least of those that it holds, some of which may be too old, and another. */
    long leastOf(long x) {
        return count == 0 || x < ring[first + 1] ? x : ring[first + 1];
    }

    private long addToFull(long arrivalNs, long x) {
        if (count == LIMIT) {
            count--; // the newest, as the oldest is the answer
        } else {
            grow();
        }
        int at = first + 2 * count & ring.length - 1;
        ring[at] = arrivalNs;
        ring[at + 1] = x;
        count++;
        return ring[first + 1];
    }

    /** The least transit time of packets in the two seconds before; {@link #NONE} if there was none. */
    long before(long arrivalNs) {
        forget(arrivalNs - SPAN_NS);
        return count == 0 ? NONE : ring[first + 1];
    }

    private void forget(long untilNs) {
        int mask = ring.length - 1;
        while (count > 0 && ring[first] <= untilNs) {
            first = first + 2 & mask;
            count--;
        }
    }

    private void grow() {
        long[] grown = Arrays.copyOf(ring, ring.length * 2);
        for (int i = 0; i < ring.length; i++) {
            grown[i] = ring[first + i & ring.length - 1];
        }
        ring = grown;
        first = 0;
    }
}
