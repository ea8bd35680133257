package io.offhook.packet.buffer;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The stretches of a composite buffer, in order: added at the end, dropped at the front. It grows up to the limit of
 * its owner.
 */
final class StretchRing {
    private static final int FIRST_CAPACITY = 8;

    private MemorySegment[] segments;
    private long[] shifts;
    private long[] ends;
    private long[] origins;
    private int first;
    private int count;

    /** @param max the maximum number of stretches */
    StretchRing(int max) {
        int capacity = Math.min(FIRST_CAPACITY, Integer.highestOneBit(2 * max - 1)); // a power of two
        segments = new MemorySegment[capacity];
        shifts = new long[capacity];
        ends = new long[capacity];
        origins = new long[capacity];
    }

    void clear() {
        Arrays.fill(segments, null); // releases the references to borrowed memory
        first = 0;
        count = 0;
    }

    /**
     * @param shift the difference between the offset in the segment and the position
     * @param end the position after the stretch
     */
    void add(MemorySegment segment, long shift, long end, long origin) {
        if (count == segments.length) {
            grow();
        }
        int slot = slot(count);
        segments[slot] = segment;
        shifts[slot] = shift;
        ends[slot] = end;
        origins[slot] = origin;
        count++;
    }

    private void grow() {
        segments = Arrays.copyOf(unrolled(segments), 2 * segments.length);
        shifts = unrolled(shifts);
        ends = unrolled(ends);
        origins = unrolled(origins);
        first = 0;
    }

    private MemorySegment[] unrolled(MemorySegment[] ring) {
        MemorySegment[] line = new MemorySegment[ring.length];
        System.arraycopy(ring, first, line, 0, ring.length - first);
        System.arraycopy(ring, 0, line, ring.length - first, first);
        return line;
    }

    /** Doubles the capacity. */
    private long[] unrolled(long[] ring) {
        long[] line = new long[2 * ring.length];
        System.arraycopy(ring, first, line, 0, ring.length - first);
        System.arraycopy(ring, 0, line, ring.length - first, first);
        return line;
    }

    /** Drops the stretches that end at {@code position} or before; returns their number. */
    int dropUpTo(long position) {
        int dropped = 0;
        while (count > 0 && ends[first] <= position) {
            segments[first] = null;
            first = slot(1);
            count--;
            dropped++;
        }
        return dropped;
    }

    /** The stretch that holds {@code position}, which must lie in one. */
    int find(long position) {
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (ends[slot(middle)] > position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private int slot(int stretch) {
        return first + stretch & segments.length - 1;
    }

    int count() {
        return count;
    }

    MemorySegment segment(int stretch) {
        return segments[slot(stretch)];
    }

    long shift(int stretch) {
        return shifts[slot(stretch)];
    }

    long end(int stretch) {
        return ends[slot(stretch)];
    }

    long origin(int stretch) {
        return origins[slot(stretch)];
    }
}
