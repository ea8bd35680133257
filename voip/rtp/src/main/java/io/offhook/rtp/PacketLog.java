package io.offhook.rtp;

import io.offhook.rtp.figures.SampleFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is needed of each packet of a stream to find it at another point of its way: number, timestamp, payload type,
 * arrival, and a print of the payload, 20 octets. Statistics need none of it, so a log is kept only where it was asked
 * for, or as a sample: the first packets with something in them.
 *
 * <p>A print is made of the first eight octets of the payload and its length, which is all that {@link RtpRows} has of it.
 * It is <em>telling</em> if the payload has {@value #LEAST_TELLING} octets or more and the first eight are not all alike,
 * as those of digital silence are.
 *
 * <p>Single-threaded.
 */
public final class PacketLog {
    /** The most packets of one stream: 87 minutes at 50 a second. */
    public static final int MOST_PACKETS = 1 << 18;

    /** The fewest octets of a payload that can tell which packet it is. */
    public static final int LEAST_TELLING = 20;

    /** In a print: the payload is telling. */
    private static final int TELLING = 1;

    /** The last prints of a sample that are looked at: a tone repeats itself. */
    private static final int REPEATED = 8;

    private static final int FIRST_PACKETS = 64;

    private static final long[] NONE = {};
    private static final int[] NO_PRINTS = {};

    private final Room room;
    private final int most;
    private final boolean isSample;
    private long[] arrivals = NONE;
    private long[] headers = NONE;
    private int[] prints = NO_PRINTS;
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
        this(room, MOST_PACKETS, false);
    }

    private PacketLog(Room room, int most, boolean isSample) {
        this.room = room;
        this.most = most;
        this.isSample = isSample;
    }

    /**
     * Creates an empty sample, which takes its memory from the room.
     *
     * @param most packets that it keeps, 1 to {@link #MOST_PACKETS}
     */
    public static PacketLog sample(Room room, int most) {
        return new PacketLog(room, most, true);
    }

    /** A sample as figures have it; it has no room for further packets. */
    public static PacketLog of(SampleFigures figures) {
        int packets = figures.packets().size();
        PacketLog log = new PacketLog(new Room(packets), packets, true);
        for (SampleFigures.Packet packet : figures.packets()) {
            log.add(packet.arrivalNs(), packet.header(), packet.print());
        }
        log.dropped = figures.dropped();
        return log;
    }

    /** The packets so far. */
    public SampleFigures figures() {
        List<SampleFigures.Packet> packets = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            packets.add(new SampleFigures.Packet(arrivals[i], headers[i], prints[i]));
        }
        return new SampleFigures(packets, dropped);
    }

    /** Creates a log without packets for a stream whose length is known, so that it needs no limit. */
    public static PacketLog unlimited() {
        return new PacketLog(new Room(Long.MAX_VALUE), Integer.MAX_VALUE, false);
    }

    /**
     * Adds the next packet in the order of the capture.
     *
     * @param rows the packet is in
     * @param row its index there, 0 or more
     */
    public void packet(RtpRows rows, int row) {
        add(rows.arrivalNs(row), rows.header(row), print(rows, row));
    }

    /**
     * Adds the next packet to a sample if its payload is telling, and none of those just before.
     *
     * @param rows the packet is in
     * @param row its index there, 0 or more
     * @return whether the sample takes further ones
     */
    public boolean sample(RtpRows rows, int row) {
        int print = print(rows, row);
        boolean isNew = (print & TELLING) != 0;
        for (int i = Math.max(0, count - REPEATED); i < count; i++) {
            isNew &= prints[i] != print;
        }
        if (isNew) {
            add(rows.arrivalNs(row), rows.header(row), print);
        }
        return count < most && dropped == 0;
    }

    /**
     * Adds a packet that is in no rows.
     *
     * @param arrivalNs nanoseconds since the epoch
     * @param sequenceNumber 0 to 65535
     * @param timestamp of RTP, its 32 bits
     */
    public void add(long arrivalNs, int sequenceNumber, int timestamp) {
        add(arrivalNs, (long) timestamp << 32 | (long) sequenceNumber << 16, 0);
    }

    private void add(long arrivalNs, long header, int print) {
        if (count == arrivals.length && !grow()) {
            dropped++;
            return;
        }
        arrivals[count] = arrivalNs;
        headers[count] = header;
        prints[count++] = print;
    }

    private static int print(RtpRows rows, int row) {
        long bits = rows.payloadBits(row);
        int length = rows.payloadLength(row);
        boolean isTelling = length >= LEAST_TELLING && bits != Long.rotateLeft(bits, 8);
        long mixed = (bits ^ length * 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
        return (int) ((mixed ^ mixed >>> 29) * 0x94d049bb133111ebL >>> 32) & ~TELLING | (isTelling ? TELLING : 0);
    }

    private boolean grow() {
        int more = room.take(Math.min(Math.max(FIRST_PACKETS, count), most - count));
        arrivals = Arrays.copyOf(arrivals, count + more);
        headers = Arrays.copyOf(headers, count + more);
        prints = Arrays.copyOf(prints, count + more);
        return more > 0;
    }

    /** Gives the memory back to the room. */
    public void release() {
        room.give(arrivals.length);
        arrivals = NONE;
        headers = NONE;
        prints = NO_PRINTS;
        dropped += count;
        count = 0;
    }

    /** Whether only some packets were to be kept. */
    public boolean isSample() {
        return isSample;
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

    /**
     * Changes arrivals, as of a clock that was set meanwhile.
     *
     * @param from the first packet to change, 0 to the size
     * @param byNs what is added, in nanoseconds
     */
    public void shift(int from, long byNs) {
        for (int i = from; i < count; i++) {
            arrivals[i] += byNs;
        }
    }

    /** The sequence number of a packet, 0 to 65535. */
    public int sequenceNumber(int index) {
        return (int) (headers[index] >>> 16) & 0xffff;
    }

    /** The sequence numbers of all packets without their cycles, from that of the first packet on. */
    public long[] numbers() {
        long[] numbers = new long[count];
        long last = count == 0 ? 0 : sequenceNumber(0);
        for (int i = 0; i < count; i++) {
            last += (short) (sequenceNumber(i) - last);
            numbers[i] = last;
        }
        return numbers;
    }

    /** The timestamp of a packet, as 32 bits. */
    public int timestamp(int index) {
        return (int) (headers[index] >>> 32);
    }

    /** Equal for packets with the same beginning and length of the payload; different ones have equal prints by 2^-31. */
    public int print(int index) {
        return prints[index];
    }

    /** Whether its payload is long enough, and varied enough, to tell which packet it is. */
    public boolean isTelling(int index) {
        return (prints[index] & TELLING) != 0;
    }

    /** The payload type of a packet, 0 to 127. */
    public int payloadType(int index) {
        return (int) headers[index] & 0x7f;
    }
}
