package io.offhook.rtp;

import io.offhook.rtp.playout.Playout;
import java.util.Arrays;

/**
 * The packets of a stream that arrived while the codec of one of its payload types was unknown: what jitter and key
 * presses need of them, in order of arrival, so that both come out as if the codec had been known from the start.
 *
 * <p>Three longs per packet, at most {@value #LIMIT} packets; when it is full, waiting has to end.
 */
final class WaitingPackets {
    static final int LIMIT = 512;

    private static final int FIRST_SIZE = 32;
    private static final int FLAG_MARKER = 0x80;
    private static final int FLAG_RESTART = 0x100;
    private static final int FLAG_REORDERED = 0x400;
    private static final int FLAG_DUPLICATE = 0x800;
    private static final int WIDTH = 3;
    private static final int FLAG_EVENT_SIZED = 0x200;
    private static final int ARRIVAL_SHIFT = 16;
    private static final long MAX_DISTANCE_NS = 1L << 62 - ARRIVAL_SHIFT;

    private final long startNs;
    private long[] packed = new long[WIDTH * FIRST_SIZE];
    private int count;

    /** @param startNs near the arrival of the first packet; arrivals are stored relative to it */
    WaitingPackets(long startNs) {
        this.startNs = startNs;
    }

    /**
     * @param flags as {@link PayloadTimeline#packet} has them
     * @return false, with nothing stored, if it is full or the packet arrived hours before or after the first one
     */
    boolean add(
            long arrivalNs,
            int timestamp,
            int payloadType,
            long number,
            int flags,
            int payloadLength,
            long payloadHead) {
        long distance = arrivalNs - startNs;
        if (count == LIMIT || Math.abs(distance) >= MAX_DISTANCE_NS) {
            return false;
        }
        if (WIDTH * count == packed.length) {
            packed = Arrays.copyOf(packed, packed.length * 2);
        }
        int stored = payloadType
                | ((flags & Playout.MARKER) != 0 ? FLAG_MARKER : 0)
                | ((flags & Playout.RESTARTED) != 0 ? FLAG_RESTART : 0)
                | ((flags & Playout.REORDERED) != 0 ? FLAG_REORDERED : 0)
                | ((flags & PayloadTimeline.DUPLICATE) != 0 ? FLAG_DUPLICATE : 0)
                | (payloadLength >= TelephoneEvents.PAYLOAD_LENGTH ? FLAG_EVENT_SIZED : 0);
        packed[WIDTH * count] = (long) timestamp << 32 | payloadHead >>> 32;
        packed[WIDTH * count + 1] = distance << ARRIVAL_SHIFT | stored;
        packed[WIDTH * count + 2] = number;
        count++;
        return true;
    }

    int count() {
        return count;
    }

    long arrivalNs(int i) {
        return startNs + (packed[WIDTH * i + 1] >> ARRIVAL_SHIFT);
    }

    int timestamp(int i) {
        return (int) (packed[WIDTH * i] >> 32);
    }

    int payloadType(int i) {
        return (int) packed[WIDTH * i + 1] & 0x7f;
    }

    /** The flags of {@link #add}. */
    int flags(int i) {
        int stored = (int) packed[WIDTH * i + 1];
        return ((stored & FLAG_MARKER) != 0 ? Playout.MARKER : 0)
                | ((stored & FLAG_RESTART) != 0 ? Playout.RESTARTED : 0)
                | ((stored & FLAG_REORDERED) != 0 ? Playout.REORDERED : 0)
                | ((stored & FLAG_DUPLICATE) != 0 ? PayloadTimeline.DUPLICATE : 0);
    }

    /** The extended sequence number. */
    long number(int i) {
        return packed[WIDTH * i + 2];
    }

    /** 4 if the payload is long enough for an event, otherwise 0. */
    int payloadLength(int i) {
        return (packed[WIDTH * i + 1] & FLAG_EVENT_SIZED) != 0 ? TelephoneEvents.PAYLOAD_LENGTH : 0;
    }

    /** The first four octets of the payload, in the upper half. */
    long payloadHead(int i) {
        return packed[WIDTH * i] << 32;
    }
}
