package io.offhook.calls.points;

import java.util.Arrays;

/** The packets of one RTP stream at one point, in the order of capture. Mutable, single-threaded. */
public final class PointPackets {
    private long[] numbers = new long[64];
    private int[] timestamps = new int[64];
    private long[] arrivals = new long[64];
    private int count;

    /** Creates an empty list. */
    public PointPackets() {}

    /**
     * Adds a packet.
     *
     * @param sequenceNumber of RTP (RFC 3550, 5.1), 0 to 65535
     * @param timestamp of RTP, its 32 bits
     * @param arrivalNs nanoseconds since the epoch, on the clock of the capture
     */
    public void add(int sequenceNumber, int timestamp, long arrivalNs) {
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * count);
            timestamps = Arrays.copyOf(timestamps, 2 * count);
            arrivals = Arrays.copyOf(arrivals, 2 * count);
        }
        long last = count == 0 ? sequenceNumber : numbers[count - 1];
        numbers[count] = last + (short) (sequenceNumber - (int) last);
        timestamps[count] = timestamp;
        arrivals[count] = arrivalNs;
        count++;
    }

    /** The number of packets, copies included. */
    public int count() {
        return count;
    }

    /** The same packets with their times on the clock of A, where this list was captured at B. */
    public PointPackets onClockOfA(ClockLine clock) {
        PointPackets moved = new PointPackets();
        int size = Math.max(1, count);
        moved.numbers = Arrays.copyOf(numbers, size);
        moved.timestamps = Arrays.copyOf(timestamps, size);
        moved.arrivals = new long[size];
        for (int i = 0; i < count; i++) {
            moved.arrivals[i] = clock.toA(arrivals[i]);
        }
        moved.count = count;
        return moved;
    }

    /** The extended sequence number; it may begin in another cycle than that of another point. */
    long number(int i) {
        return numbers[i];
    }

    /** What identifies a packet at every point: sequence number and timestamp. */
    long identity(int i) {
        return (numbers[i] & 0xffff) << 32 | timestamps[i] & 0xffff_ffffL;
    }

    long arrivalNs(int i) {
        return arrivals[i];
    }
}
