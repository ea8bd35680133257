package io.offhook.hep;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A ring between one thread that mirrors and the one that sends. Packets are encoded straight into it; if there is no room
 * the packet is dropped and counted. {@link #offer} neither waits, nor locks, nor allocates.
 *
 * <pre>
 * each packet: length (32 bits), bytes, padding to a multiple of four; a length of -1 skips to the start of the ring
 * </pre>
 */
public final class HepFeed {
    private static final int LENGTH = 4;
    private static final int SKIP = -1;
    /** Between two looks whether there is room. */
    private static final long WAIT_NS = 200_000;

    private final HepWriter writer;
    private final byte[] ring;
    private final int mask;
    /** Bytes written and read since the beginning. */
    private final AtomicLong written = new AtomicLong();

    private final AtomicLong read = new AtomicLong();
    private final AtomicLong offered = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong tooLong = new AtomicLong();

    HepFeed(HepAgent agent, int bytes) {
        writer = new HepWriter(agent);
        ring = new byte[Integer.highestOneBit(bytes)];
        mask = ring.length - 1;
    }

    /**
     * Queues a packet, whose arrays may be changed afterwards. Called by one thread.
     *
     * @return false if it was dropped: the ring is full, or the packet longer than {@value HepWriter#MAX_LENGTH} bytes
     */
    public boolean offer(HepPacket packet) {
        return put(packet, 0);
    }

    /**
     * Queues a packet as {@link #offer} does, and waits for room before it is dropped. Called by the same thread.
     *
     * @param mostNs how long to wait, in nanoseconds; 0 does not
     * @return false if it was dropped
     */
    public boolean put(HepPacket packet, long mostNs) {
        increment(offered);
        int length = writer.length(packet);
        if (length > HepWriter.MAX_LENGTH || length + LENGTH > ring.length / 2) {
            increment(tooLong);
            return false;
        }
        if (!hasRoom(length) && (mostNs == 0 || !awaitRoom(length, mostNs))) {
            increment(dropped);
            return false;
        }
        long end = written.getPlain();
        int place = (int) end & mask;
        int skipped = skipped(end, length);
        if (skipped > 0) {
            putInt(place, SKIP);
            end += skipped;
            place = 0;
        }
        putInt(place, length);
        writer.write(packet, ring, place + LENGTH);
        written.setRelease(end + needed(length));
        return true;
    }

    private static int needed(int length) {
        return LENGTH + length + 3 & ~3;
    }

    /** The bytes up to the start of the ring that a packet which does not fit there leaves. */
    private int skipped(long end, int length) {
        int behind = ring.length - ((int) end & mask);
        return needed(length) > behind ? behind : 0;
    }

    private boolean hasRoom(int length) {
        long end = written.getPlain();
        return skipped(end, length) + needed(length) <= ring.length - (end - read.getAcquire());
    }

    private boolean awaitRoom(int length, long mostNs) {
        long untilNs = System.nanoTime() + mostNs;
        while (!hasRoom(length)) {
            if (System.nanoTime() - untilNs >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(this, WAIT_NS);
        }
        return true;
    }

    private static void increment(AtomicLong counter) {
        counter.setOpaque(counter.getPlain() + 1); // one thread writes it
    }

    private void putInt(int place, int value) {
        ring[place] = (byte) (value >>> 24);
        ring[place + 1] = (byte) (value >>> 16);
        ring[place + 2] = (byte) (value >>> 8);
        ring[place + 3] = (byte) value;
    }

    private int getInt(int place) {
        return ring[place] << 24
                | (ring[place + 1] & 0xff) << 16
                | (ring[place + 2] & 0xff) << 8
                | ring[place + 3] & 0xff;
    }

    // what follows is the sender's

    /** The length of the oldest packet; 0 if there is none. */
    int peek() {
        long at = read.getPlain();
        long end = written.getAcquire();
        if (at == end) {
            return 0;
        }
        int place = (int) at & mask;
        int length = getInt(place);
        if (length == SKIP) {
            read.setRelease(at + ring.length - place);
            return getInt(0); // what was skipped for was written before the end moved
        }
        return length;
    }

    /** The start of the oldest packet in {@link #octets()}. */
    int offset() {
        return ((int) read.getPlain() & mask) + LENGTH;
    }

    byte[] octets() {
        return ring;
    }

    /** Makes room of the oldest packet. */
    void release() {
        long at = read.getPlain();
        read.setRelease(at + (LENGTH + getInt((int) at & mask) + 3 & ~3));
    }

    /** Packets that were to be queued. */
    public long offered() {
        return offered.getOpaque();
    }

    /** Packets dropped because the ring was full. */
    public long dropped() {
        return dropped.getOpaque();
    }

    /** Packets dropped because they are longer than HEP or the ring allows. */
    public long tooLong() {
        return tooLong.getOpaque();
    }
}
