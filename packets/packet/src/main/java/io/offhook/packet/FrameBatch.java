package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A run of captured frames, in the order of their source: where each lies, how long it is, when it came.
 *
 * <p>A source fills the batch, one thread at a time reads it; then it is given back and filled again. The frames are
 * borrowed: their bytes stand where the source has them (a mapped file, a ring) or in the batch's own {@link #buffer()},
 * and are valid until the batch is filled again.
 */
public final class FrameBatch {
    private static final int MAX_SEGMENTS = 1 << 15;

    /** Of each frame, side by side, so that one line of a processor's cache has all that is known of it. */
    private static final int OFFSET = 0;

    private static final int TIMESTAMP = 1;
    /** Captured in the lower half, on the wire in the upper. */
    private static final int LENGTHS = 2;
    /** From the lowest bit: link type (16), interface (16), segment (16), direction (0: not told). */
    private static final int ORIGIN = 3;

    private static final int WORDS = 4;

    private static final int INTERFACE_SHIFT = 16;
    private static final int SEGMENT_SHIFT = 32;
    private static final int DIRECTION_SHIFT = 48;

    private static final long INCOMING = 1L << DIRECTION_SHIFT;
    private static final long OUTGOING = 2L << DIRECTION_SHIFT;
    private static final long DIRECTION = -1L << DIRECTION_SHIFT;

    private final int capacity;
    private final long[] frames;

    private MemorySegment[] segments = new MemorySegment[4];
    private int segmentCount;
    private MemorySegment buffer = MemorySegment.NULL;
    private long firstNumber = 1;
    private int count;
    /** Frames taken out before each of those that stayed; null while none was. */
    private int @Nullable [] gone;

    private int[] goneRoom = {};

    /**
     * An empty batch.
     *
     * @param capacity the most frames it holds, 1 or more
     */
    public FrameBatch(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + " is below 1");
        }
        this.capacity = capacity;
        frames = new long[Math.multiplyExact(capacity, WORDS)];
    }

    /** Forgets its frames; the next one added has the given number (1-based, in the order of the source). */
    public void clear(long firstNumber) {
        this.firstNumber = firstNumber;
        count = 0;
        gone = null;
        Arrays.fill(segments, 0, segmentCount, null);
        segmentCount = 0;
    }

    /** Sets the number of the first frame, 1 or more, of a batch that was filled before it was known. */
    public void renumber(long firstNumber) {
        this.firstNumber = firstNumber;
    }

    /**
     * Makes a segment known to the batch.
     *
     * @return the index that {@link #add} takes, or -1 when the batch holds as many segments as it can
     */
    public int addSegment(MemorySegment segment) {
        if (segmentCount > 0 && segments[segmentCount - 1].equals(segment)) {
            return segmentCount - 1;
        }
        if (segmentCount == MAX_SEGMENTS) {
            return -1;
        }
        if (segmentCount == segments.length) {
            segments = Arrays.copyOf(segments, segmentCount * 2);
        }
        segments[segmentCount] = segment;
        return segmentCount++;
    }

    /**
     * Adds a frame; the batch must not be {@link #isFull() full}.
     *
     * @param segmentIndex what {@link #addSegment(MemorySegment)} returned
     * @param offset of the frame's first byte in that segment
     * @param capturedLength bytes that lie there
     * @param wireLength bytes it had on the wire
     * @param timestampNs nanoseconds since the epoch
     * @param interfaceIndex index of its interface in the source
     * @param linkType a {@link LinkType} value, 0 to 65535
     */
    public void add(
            int segmentIndex,
            long offset,
            int capturedLength,
            int wireLength,
            long timestampNs,
            int interfaceIndex,
            int linkType) {
        int at = count * WORDS;
        frames[at + OFFSET] = offset;
        frames[at + TIMESTAMP] = timestampNs;
        frames[at + LENGTHS] = Integer.toUnsignedLong(capturedLength) | (long) wireLength << Integer.SIZE;
        frames[at + ORIGIN] = linkType & 0xffffL
                | (interfaceIndex & 0xffffL) << INTERFACE_SHIFT
                | (long) segmentIndex << SEGMENT_SHIFT;
        count++;
    }

    /** Says which way the frame went that was added last. */
    public void direction(FrameDirection lastAdded) {
        int at = (count - 1) * WORDS + ORIGIN;
        long told =
                lastAdded == FrameDirection.INCOMING ? INCOMING : lastAdded == FrameDirection.OUTGOING ? OUTGOING : 0;
        frames[at] = frames[at] & ~DIRECTION | told;
    }

    /**
     * Takes out all frames but some, which keep their numbers and their order.
     *
     * @param indexes of those that stay, ascending, each from 0 to {@link #count()} - 1
     * @param count how many of these there are
     */
    public void retain(int[] indexes, int count) {
        int[] before = gone;
        if (goneRoom.length < this.count) {
            goneRoom = new int[capacity];
        }
        for (int to = 0; to < count; to++) {
            int from = indexes[to];
            System.arraycopy(frames, from * WORDS, frames, to * WORDS, WORDS);
            goneRoom[to] = from - to + (before == null ? 0 : before[from]);
        }
        gone = goneRoom;
        this.count = count;
    }

    /** Frames that it holds. */
    public int count() {
        return count;
    }

    /** The most frames that it holds. */
    public int capacity() {
        return capacity;
    }

    /** Whether no other frame can be added. */
    public boolean isFull() {
        return count == capacity;
    }

    /** The number of frame {@code i} in the order of the source; the first of all is 1. */
    public long number(int i) {
        int[] taken = gone;
        return taken == null ? firstNumber + i : firstNumber + i + taken[i];
    }

    /** Where frame {@code i} lies. */
    public MemorySegment segmentOf(int i) {
        return segments[(int) (word(i, ORIGIN) >>> SEGMENT_SHIFT) & 0xffff];
    }

    /** Where frame {@code i} starts in its segment. */
    public long offset(int i) {
        return word(i, OFFSET);
    }

    /** Bytes of frame {@code i} that lie there. */
    public int capturedLength(int i) {
        return (int) word(i, LENGTHS);
    }

    /** Bytes that frame {@code i} had on the wire. */
    public int wireLength(int i) {
        return (int) (word(i, LENGTHS) >>> Integer.SIZE);
    }

    /** Nanoseconds since the epoch. */
    public long timestampNs(int i) {
        return word(i, TIMESTAMP);
    }

    /** The interface of frame {@code i}, as its source numbers them from 0. */
    public int interfaceIndex(int i) {
        return (int) (word(i, ORIGIN) >>> INTERFACE_SHIFT) & 0xffff;
    }

    /** A {@link LinkType} value. */
    public int linkType(int i) {
        return (int) word(i, ORIGIN) & 0xffff;
    }

    /** Which way frame {@code i} went, as its source saw it. */
    public FrameDirection direction(int i) {
        long told = word(i, ORIGIN) & DIRECTION;
        if (told == INCOMING) {
            return FrameDirection.INCOMING;
        }
        return told == OUTGOING ? FrameDirection.OUTGOING : FrameDirection.UNKNOWN;
    }

    private long word(int i, int which) {
        return frames[i * WORDS + which];
    }

    /** Memory that belongs to the batch, for frames that have no lasting place of their own; empty until it is set. */
    public MemorySegment buffer() {
        return buffer;
    }

    /** Gives the batch memory of its own; its owner is the arena that it came from. */
    public void buffer(MemorySegment buffer) {
        this.buffer = buffer;
    }
}
