package io.offhook.rtp;

import java.util.Arrays;

/**
 * What is needed of each packet of a stream to find it at another point of its way: number, timestamp, payload type and
 * arrival, 16 octets. Statistics need none of it, so a log is kept only where it was asked for.
 *
 * <p>Single-threaded.
 */
public final class PacketLog {
    /** The most packets of one stream: 87 minutes at 50 a second. */
    public static final int MOST_PACKETS = 1 << 18;

    private static final int FIRST_PACKETS = 64;

    private static final long[] NONE = {};

    private final Room room;
    private long[] arrivals = NONE;
    private long[] headers = NONE;
    private int count;
    private long dropped;

    /** The packets that all logs of one table may still keep. */
    public static final class Room {
        private long left;

        /**
         * Creates room.
         *
         * @param packets 0 or more
         */
        public Room(long packets) {
            left = packets;
        }

        private int take(int wanted) {
            int taken = (int) Math.min(wanted, left);
            left -= taken;
            return taken;
        }

        private void give(int packets) {
            left += packets;
        }
    }

    /** Creates a log without packets, which takes its memory from the room. */
    public PacketLog(Room room) {
        this.room = room;
    }

    /**
     * Adds the next packet in the order of the capture.
     *
     * @param rows the packet is in
     * @param row its index there, 0 or more
     */
    public void packet(RtpRows rows, int row) {
        if (count == arrivals.length && !grow()) {
            dropped++;
            return;
        }
        arrivals[count] = rows.arrivalNs(row);
        headers[count++] = rows.header(row);
    }

    private boolean grow() {
        int more = room.take(Math.min(Math.max(FIRST_PACKETS, count), MOST_PACKETS - count));
        arrivals = Arrays.copyOf(arrivals, count + more);
        headers = Arrays.copyOf(headers, count + more);
        return more > 0;
    }

    /** Gives the memory back to the room. */
    public void release() {
        room.give(arrivals.length);
        arrivals = NONE;
        headers = NONE;
        dropped += count;
        count = 0;
    }

    /** Packets in the log, copies included. */
    public int size() {
        return count;
    }

    /** Packets for which there was no room; the log is then no longer complete. */
    public long dropped() {
        return dropped;
    }

    /** The arrival of a packet, in nanoseconds since the epoch. */
    public long arrivalNs(int index) {
        return arrivals[index];
    }

    /** The sequence number of a packet, 0 to 65535. */
    public int sequenceNumber(int index) {
        return (int) (headers[index] >>> 16) & 0xffff;
    }

    /** The timestamp of a packet, as 32 bits. */
    public int timestamp(int index) {
        return (int) (headers[index] >>> 32);
    }

    /** The payload type of a packet, 0 to 127. */
    public int payloadType(int index) {
        return (int) headers[index] & 0x7f;
    }
}
