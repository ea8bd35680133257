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

    private final long[] offset;
    private final long[] timestampNs;
    private final int[] capturedLength;
    private final int[] wireLength;
    private final short[] interfaceIndex;
    private final short[] linkType;
    private final short[] segmentIndex;
    /** Null until a source tells. */
    private FrameDirection @Nullable [] direction;

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
        offset = new long[capacity];
        timestampNs = new long[capacity];
        capturedLength = new int[capacity];
        wireLength = new int[capacity];
        interfaceIndex = new short[capacity];
        linkType = new short[capacity];
        segmentIndex = new short[capacity];
    }

    /** Forgets its frames; the next one added has the given number (1-based, in the order of the source). */
    public void clear(long firstNumber) {
        this.firstNumber = firstNumber;
        count = 0;
        gone = null;
        FrameDirection[] directions = direction;
        if (directions != null) {
            Arrays.fill(directions, FrameDirection.UNKNOWN);
        }
        Arrays.fill(segments, 0, segmentCount, null);
        segmentCount = 0;
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
        int i = count;
        this.segmentIndex[i] = (short) segmentIndex;
        this.offset[i] = offset;
        this.capturedLength[i] = capturedLength;
        this.wireLength[i] = wireLength;
        this.timestampNs[i] = timestampNs;
        this.interfaceIndex[i] = (short) interfaceIndex;
        this.linkType[i] = (short) linkType;
        count = i + 1;
    }

    /** Says which way the frame went that was added last. */
    public void direction(FrameDirection lastAdded) {
        FrameDirection[] directions = direction;
        if (directions == null) {
            directions = new FrameDirection[offset.length];
            Arrays.fill(directions, FrameDirection.UNKNOWN);
            direction = directions;
        }
        directions[count - 1] = lastAdded;
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
            goneRoom = new int[offset.length];
        }
        for (int to = 0; to < count; to++) {
            int from = indexes[to];
            offset[to] = offset[from];
            timestampNs[to] = timestampNs[from];
            capturedLength[to] = capturedLength[from];
            wireLength[to] = wireLength[from];
            interfaceIndex[to] = interfaceIndex[from];
            linkType[to] = linkType[from];
            segmentIndex[to] = segmentIndex[from];
            if (direction != null) {
                direction[to] = direction[from];
            }
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
        return offset.length;
    }

    /** Whether no other frame can be added. */
    public boolean isFull() {
        return count == offset.length;
    }

    /** The number of frame {@code i} in the order of the source; the first of all is 1. */
    public long number(int i) {
        int[] taken = gone;
        return taken == null ? firstNumber + i : firstNumber + i + taken[i];
    }

    /** Where frame {@code i} lies. */
    public MemorySegment segmentOf(int i) {
        return segments[segmentIndex[i]];
    }

    /** Where frame {@code i} starts in its segment. */
    public long offset(int i) {
        return offset[i];
    }

    /** Bytes of frame {@code i} that lie there. */
    public int capturedLength(int i) {
        return capturedLength[i];
    }

    /** Bytes that frame {@code i} had on the wire. */
    public int wireLength(int i) {
        return wireLength[i];
    }

    /** Nanoseconds since the epoch. */
    public long timestampNs(int i) {
        return timestampNs[i];
    }

    /** The interface of frame {@code i}, as its source numbers them from 0. */
    public int interfaceIndex(int i) {
        return interfaceIndex[i] & 0xffff;
    }

    /** A {@link LinkType} value. */
    public int linkType(int i) {
        return linkType[i] & 0xffff;
    }

    /** Which way frame {@code i} went, as its source saw it. */
    public FrameDirection direction(int i) {
        FrameDirection[] directions = direction;
        return directions == null ? FrameDirection.UNKNOWN : directions[i];
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
