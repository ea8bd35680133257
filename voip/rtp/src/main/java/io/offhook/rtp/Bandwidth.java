package io.offhook.rtp;

import java.util.Arrays;

/**
 * The octets of the packets of the last second. Holds at most {@value #LIMIT} packets; for a faster stream, those of
 * the last part of the second.
 */
final class Bandwidth {
    static final int LIMIT = 4096;

    private static final long WINDOW_NS = 1_000_000_000;

    private long[] arrivalNs = new long[16];
    private int[] octets = new int[16];
    private int first;
    private int count;
    private long sum;

    void add(long arrivalNs, int octets) {
        while (count > 0 && this.arrivalNs[first] + WINDOW_NS < arrivalNs) {
            removeFirst();
        }
        if (count == this.octets.length) {
            makeRoom();
        }
        int at = first + count & this.octets.length - 1;
        this.arrivalNs[at] = arrivalNs;
        this.octets[at] = octets;
        count++;
        sum += octets;
    }

    private void removeFirst() {
        sum -= octets[first];
        first = first + 1 & octets.length - 1;
        count--;
    }

    private void makeRoom() {
        int size = octets.length;
        if (size == LIMIT) {
            removeFirst();
            return;
        }
        long[] times = Arrays.copyOf(arrivalNs, size * 2);
        int[] sizes = Arrays.copyOf(octets, size * 2);
        // moves the part before first behind the old end, so that the ring is contiguous again
        System.arraycopy(arrivalNs, 0, times, size, first);
        System.arraycopy(octets, 0, sizes, size, first);
        arrivalNs = times;
        octets = sizes;
    }

    long octets() {
        return sum;
    }
}
