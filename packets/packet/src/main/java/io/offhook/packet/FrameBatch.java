package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A run of captured frames in the order of their source: the location, length and time of each.
 *
 * <p>A source fills the batch, one thread at a time reads it, then the batch returns to the source and is filled again.
 * Frames are borrowed: their bytes stay in the memory of the source (a mapped file, a ring) or are in the batch's own
 * {@link #buffer()}, and are valid until the batch is filled again.
 */
public final class FrameBatch {
    private static final int MAX_SEGMENTS = 1 << 15;

    /** Of each frame, side by side, so that one line of a processor's cache has all that is known of it. */
    private static final int OFFSET = 0;

    private static final int TIMESTAMP = 1;
    /** Captured in the lower half, on the wire in the upper. */
    private static final int LENGTHS = 2;
    /** From the lowest bit: link type (16), interface (16), segment (16), direction (0: unknown). */
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
     * @param capacity the maximum number of frames, 1 or more
     */
    public FrameBatch(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + " is below 1");
        }
        this.capacity = capacity;
        frames = new long[Math.multiplyExact(capacity, WORDS)];
    }

    /** Removes all frames; the next frame added gets the given number (1-based, in the order of the source). */
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
     * Registers a segment with the batch.
     *
     * @return the index to pass to {@link #add}, or -1 if the batch cannot hold another segment
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
     * @param capturedLength the number of captured bytes
     * @param wireLength the number of bytes on the wire
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

    /** Sets the direction of the frame added last. */
    public void direction(FrameDirection lastAdded) {
        int at = (count - 1) * WORDS + ORIGIN;
        long bits =
                lastAdded == FrameDirection.INCOMING ? INCOMING : lastAdded == FrameDirection.OUTGOING ? OUTGOING : 0;
        frames[at] = frames[at] & ~DIRECTION | bits;
    }

    /**
     * Keeps only the given frames, with their numbers and in their order.
     *
     * @param indexes of the frames to keep, ascending, each from 0 to {@link #count()} - 1
     * @param count the number of indexes
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

    /** The number of frames in the batch. */
    public int count() {
        return count;
    }

    /** The maximum number of frames. */
    public int capacity() {
        return capacity;
    }

    /** Whether no further frame can be added. */
    public boolean isFull() {
        return count == capacity;
    }

    /** The number of frame {@code i} in the order of the source; the first of all is 1. */
    public long number(int i) {
        int[] taken = gone;
        return taken == null ? firstNumber + i : firstNumber + i + taken[i];
    }

    /** The segment that holds frame {@code i}. */
    public MemorySegment segmentOf(int i) {
        return segments[(int) (word(i, ORIGIN) >>> SEGMENT_SHIFT) & 0xffff];
    }

    /** The offset of frame {@code i} in its segment. */
    public long offset(int i) {
        return word(i, OFFSET);
    }

    /** The captured length of frame {@code i}, in bytes. */
    public int capturedLength(int i) {
        return (int) word(i, LENGTHS);
    }

    /** The wire length of frame {@code i}, in bytes. */
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

    /** The direction of frame {@code i}, as its source reported it. */
    public FrameDirection direction(int i) {
        long bits = word(i, ORIGIN) & DIRECTION;
        if (bits == INCOMING) {
            return FrameDirection.INCOMING;
        }
        return bits == OUTGOING ? FrameDirection.OUTGOING : FrameDirection.UNKNOWN;
    }

    private long word(int i, int which) {
        return frames[i * WORDS + which];
    }

    /** The batch's own memory, for frames whose source has no lasting memory for them; empty until set. */
    public MemorySegment buffer() {
        return buffer;
    }

    /** Sets the batch's own memory, which its arena owns. */
    public void buffer(MemorySegment buffer) {
        this.buffer = buffer;
    }
}
