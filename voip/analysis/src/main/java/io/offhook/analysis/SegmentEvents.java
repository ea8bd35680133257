package io.offhook.analysis;

import java.util.Arrays;

/**
 * TCP segments as small events, in the order of capture: where each lies in the batch that is being read, so that the
 * streams can be put together shard by shard. One row of twelve longs an event; nothing is allocated once the list has
 * grown.
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

    /** VLAN or other number that keeps equal addresses apart. */
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

    /** Where the next row goes; the caller fills all of it. */
    int next() {
        if (size == rows.length) {
            rows = Arrays.copyOf(rows, Math.max(WIDTH * 16, size * 2));
        }
        int row = size;
        size += WIDTH;
        return row;
    }
}
