package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.pcap.PacketSink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Frames on their way from one thread to another, copied into a ring of bytes together with losses and times in their
 * order. Adding never waits.
 *
 * <pre>
 *   0               32              64                              128
 *  +-------+-------+---------------+-------------------------------+
 *  | kind  | way   | total bytes   | captured      | wire length   |
 *  +-------+-------+---------------+---------------+---------------+
 *  | interface     | link type     | time                          |    frame: followed by its bytes, padded to 8
 *  +---------------+---------------+-------------------------------+
 *  loss: interface as above, and two numbers in the place of lengths and time; a time: the time
 * </pre>
 */
final class FrameQueue implements AutoCloseable {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int HEADER = 32;
    private static final int KIND_FRAME = 0;
    private static final int KIND_LOSS = 1;
    private static final int KIND_TIME = 2;
    /** The rest of the ring is empty. */
    private static final int KIND_WRAP = 3;

    private static final int BYTES = 4;
    private static final int CAPTURED = 8;
    private static final int WIRE = 12;
    private static final int INTERFACE = 16;
    private static final int LINK_TYPE = 20;
    private static final int TIME = 24;
    private static final FrameDirection[] DIRECTIONS = FrameDirection.values();

    private final Arena arena = Arena.ofShared();
    private final MemorySegment ring;
    private final long size;
    /** The bytes added and taken since the beginning. */
    private final AtomicLong added = new AtomicLong();

    private final AtomicLong taken = new AtomicLong();
    /**
     * State of the adding thread alone: the bytes added but not shown yet, and the other thread's position when last
     * read.
     */
    private long adding;

    private long knownTaken;
    private long number;

    /** @param bytes the memory to use, rounded down to a power of two; more than the largest frame */
    FrameQueue(long bytes) {
        size = Long.highestOneBit(bytes);
        ring = arena.allocate(size, 64);
    }

    /**
     * Adds a copy of a frame; returns false if there is no room. {@link #show} makes it visible to the other thread.
     */
    @SuppressWarnings("EnumOrdinal") // read back by this process alone
    boolean add(FrameBatch batch, int i) {
        int captured = batch.capturedLength(i);
        long at = reserve(HEADER + (captured + 7L & -8L));
        if (at < 0) {
            return false;
        }
        ring.set(INT, at, KIND_FRAME | batch.direction(i).ordinal() << 8);
        ring.set(INT, at + CAPTURED, captured);
        ring.set(INT, at + WIRE, batch.wireLength(i));
        ring.set(INT, at + INTERFACE, batch.interfaceIndex(i));
        ring.set(INT, at + LINK_TYPE, batch.linkType(i));
        ring.set(LONG, at + TIME, batch.timestampNs(i));
        MemorySegment.copy(batch.segmentOf(i), batch.offset(i), ring, at + HEADER, captured);
        return true;
    }

    /** Adds a loss; returns false if there is no room. */
    boolean addLoss(int interfaceIndex, long systemDrops, long ownDrops) {
        long at = reserve(HEADER);
        if (at < 0) {
            return false;
        }
        ring.set(INT, at, KIND_LOSS);
        ring.set(LONG, at + CAPTURED, systemDrops);
        ring.set(INT, at + INTERFACE, interfaceIndex);
        ring.set(LONG, at + TIME, ownDrops);
        return true;
    }

    /** Adds a time; returns false if there is no room. */
    boolean addTime(long nowNs) {
        long at = reserve(HEADER);
        if (at < 0) {
            return false;
        }
        ring.set(INT, at, KIND_TIME);
        ring.set(LONG, at + TIME, nowNs);
        return true;
    }

    /** Returns the offset at which {@code bytes} contiguous bytes may be written, or -1. */
    private long reserve(long bytes) {
        long at = adding & size - 1;
        long gap = size - at < bytes ? size - at : 0;
        if (adding + gap + bytes - knownTaken > size) {
            knownTaken = taken.getAcquire();
            if (adding + gap + bytes - knownTaken > size) {
                return -1;
            }
        }
        if (gap > 0) {
            ring.set(INT, at, KIND_WRAP);
            adding += gap;
            at = 0;
        }
        ring.set(INT, at + BYTES, (int) bytes);
        adding += bytes;
        return at;
    }

    /**
     * Makes everything added visible to the other thread.
     *
     * @return whether there was anything
     */
    boolean show() {
        if (added.getPlain() == adding) {
            return false;
        }
        added.set(adding); // before checking whether the other thread waits
        return true;
    }

    /** Returns the bytes that are waiting. Thread-safe. */
    long waiting() {
        return added.get() - taken.getAcquire();
    }

    /**
     * Passes waiting entries to a sink.
     *
     * @param frame a batch for one frame, reused for each
     * @param most the most entries to pass on
     * @return the number of entries passed on
     */
    int take(PacketSink sink, FrameBatch frame, int most) {
        long at = taken.getPlain();
        long end = added.getAcquire();
        int count = 0;
        while (at < end && count < most) {
            long offset = at & size - 1;
            int kind = ring.get(INT, offset);
            if (kind == KIND_WRAP) {
                at += size - offset;
                continue;
            }
            hand(sink, frame, kind, offset);
            at += ring.get(INT, offset + BYTES);
            count++;
        }
        taken.setRelease(at);
        return count;
    }

    private void hand(PacketSink sink, FrameBatch frame, int kind, long offset) {
        if (kind == KIND_LOSS) {
            sink.lost(
                    ring.get(INT, offset + INTERFACE),
                    ring.get(LONG, offset + CAPTURED),
                    ring.get(LONG, offset + TIME));
        } else if (kind == KIND_TIME) {
            sink.time(ring.get(LONG, offset + TIME));
        } else {
            frame.clear(++number);
            frame.add(
                    frame.addSegment(ring),
                    offset + HEADER,
                    ring.get(INT, offset + CAPTURED),
                    ring.get(INT, offset + WIRE),
                    ring.get(LONG, offset + TIME),
                    ring.get(INT, offset + INTERFACE),
                    ring.get(INT, offset + LINK_TYPE));
            frame.direction(DIRECTIONS[kind >>> 8]);
            sink.write(frame, 0);
        }
    }

    /** Frees the memory; neither thread may access the queue any more. */
    @Override
    public void close() {
        arena.close();
    }
}
