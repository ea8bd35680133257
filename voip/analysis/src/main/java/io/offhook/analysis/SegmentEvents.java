package io.offhook.analysis;

import java.util.Arrays;

/**
 * TCP segments as rows of numbers, in the order of capture: where each lies in the current batch, so that streams can
 * be reassembled shard by shard. A row has twelve longs; nothing is allocated once the list has grown.
 */
final class SegmentEvents {
    static final int WIDTH = 12;
    static final int FRAME_INDEX = 0;
    static final int TCP_OFFSET = 1;
    static final int PAYLOAD_OFFSET = 2;

    /** Captured (32) | by the headers' own lengths (32). */
    static final int PAYLOAD_LENGTHS = 3;

    static final int SOURCE_HIGH = 4;
    static final int SOURCE_LOW = 5;
    static final int DESTINATION_HIGH = 6;
    static final int DESTINATION_LOW = 7;

    /** Source (16) | destination (16). */
    static final int PORTS = 8;

    /** The VLAN or another number that separates equal addresses. */
    static final int SCOPE = 9;

    static final int TIMESTAMP = 10;
    static final int FRAME = 11;

    private long[] rows = new long[0];
    private int size;

    void clear() {
        size = 0;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Longs in use. */
    int end() {
        return size;
    }

    long[] rows() {
        return rows;
    }

    /** Adds a row and returns its index; the caller sets all of it. */
    int next() {
        if (size == rows.length) {
            rows = Arrays.copyOf(rows, Math.max(WIDTH * 16, size * 2));
        }
        int row = size;
        size += WIDTH;
        return row;
    }
}
