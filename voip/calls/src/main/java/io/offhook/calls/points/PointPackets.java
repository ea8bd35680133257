package io.offhook.calls.points;

import java.util.Arrays;

/** The packets of one RTP stream at one point, in the order of capture; 16 bytes each. Mutable, single-threaded. */
public final class PointPackets {
    /** Extended sequence numbers, from that of the first packet on. */
    private int[] numbers;

    private int[] timestamps;
    private long[] arrivals;
    private int count;

    /** Creates an empty list. */
    public PointPackets() {
        this(64);
    }

    /** @param expected how many packets to have room for */
    PointPackets(int expected) {
        numbers = new int[expected];
        timestamps = new int[expected];
        arrivals = new long[expected];
    }

    /**
     * Adds a packet.
     *
     * @param sequenceNumber of RTP (RFC 3550, 5.1), 0 to 65535
     * @param timestamp of RTP, its 32 bits
     * @param arrivalNs nanoseconds since the epoch, on the clock of the capture
     */
    public void add(int sequenceNumber, int timestamp, long arrivalNs) {
        if (count == numbers.length) {
            int more = count + (count >> 1) + 16;
            numbers = Arrays.copyOf(numbers, more);
            timestamps = Arrays.copyOf(timestamps, more);
            arrivals = Arrays.copyOf(arrivals, more);
        }
        int last = count == 0 ? sequenceNumber : numbers[count - 1];
        numbers[count] = last + (short) (sequenceNumber - last);
        timestamps[count] = timestamp;
        arrivals[count] = arrivalNs;
        count++;
    }

    /** The number of packets, copies included. */
    public int count() {
        return count;
    }

    /** The extended sequence number; it may begin in another cycle than that of another point. */
    int number(int i) {
        return numbers[i];
    }

    int timestamp(int i) {
        return timestamps[i];
    }

    /** What identifies a packet at every point: sequence number and timestamp. */
    long identity(int i) {
        return (numbers[i] & 0xffffL) << 32 | timestamps[i] & 0xffff_ffffL;
    }

    long arrivalNs(int i) {
        return arrivals[i];
    }
}
