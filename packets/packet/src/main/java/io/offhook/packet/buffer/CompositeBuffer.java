package io.offhook.packet.buffer;

import io.offhook.packet.NetworkOrder;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Several stretches of memory read as one, by reference: the fragments of a datagram, the segments of a TCP stream, the
 * links of a chained buffer. Nothing is copied, and reading allocates nothing.
 *
 * <pre>
 *  position  start()                          end()
 *              |  stretch 0  |  1  |  stretch 2 |
 *              +-------------+-----+------------+
 *                   |           |        |
 *              some segment  another  the first one, elsewhere
 * </pre>
 *
 * <p>Bytes are addressed by position, a long that counts from {@link #start()}: 0, unless {@link #clear(long)} set
 * another. Released bytes give up their positions; the others keep theirs. A read inside the stretch read last costs
 * little more than a read from a segment; across a seam, bytes are assembled one by one.
 *
 * <p>The stretches are borrowed: the caller that appends them keeps them valid. The buffer holds at most {@link
 * #maxStretches()}; beyond that, {@link #append} refuses and counts. One thread at a time, for reading too. A read
 * outside of {@code start()} to {@code end()} is an {@link IndexOutOfBoundsException}.
 */
public final class CompositeBuffer {
    /** The upper limit of a buffer's maximum number of stretches. */
    public static final int MAX_STRETCHES = 1 << 24;

    private final int maxStretches;
    private final StretchRing stretches;
    private long start;
    private long end;
    private long refused;

    // the stretch read last, and its positions from current on
    private int stretch;
    private MemorySegment segment = MemorySegment.NULL;
    private long current;
    private long size;
    private long shift;

    /**
     * Creates an empty buffer that starts at position 0.
     *
     * @param maxStretches the maximum number of stretches, 1 to {@link #MAX_STRETCHES}
     */
    public CompositeBuffer(int maxStretches) {
        if (maxStretches < 1 || maxStretches > MAX_STRETCHES) {
            throw new IllegalArgumentException("maxStretches " + maxStretches + " is not in 1 to " + MAX_STRETCHES);
        }
        this.maxStretches = maxStretches;
        stretches = new StretchRing(maxStretches);
    }

    /** Removes all stretches; positions start at 0. */
    public void clear() {
        clear(0);
    }

    /** Removes all stretches; the next one appended starts at that position, 0 or more. */
    public void clear(long start) {
        if (start < 0) {
            throw new IllegalArgumentException("start " + start + " is below 0");
        }
        stretches.clear();
        this.start = start;
        end = start;
        forgetCurrent();
    }

    /** As {@link #append(MemorySegment, long, long, long)}, of origin 0. */
    public boolean append(MemorySegment segment, long offset, long length) {
        return append(segment, offset, length, 0);
    }

    /**
     * Appends a stretch by reference; an empty one is not kept.
     *
     * @param origin a number chosen by the caller and returned by {@link #originAt}: the frame that carried it
     * @return false if the buffer is out of stretches or positions; {@link #refused()} counts it
     * @throws IndexOutOfBoundsException if the stretch is not inside the segment
     */
    public boolean append(MemorySegment segment, long offset, long length, long origin) {
        Objects.checkFromIndexSize(offset, length, segment.byteSize());
        if (length == 0) {
            return true;
        }
        if (stretches.count() == maxStretches || length > Long.MAX_VALUE - end) {
            refused++;
            return false;
        }
        stretches.add(segment, offset - end, end + length, origin);
        end += length;
        return true;
    }

    /**
     * Releases the bytes before {@code position}, and the stretches that end there or earlier. The other bytes keep
     * their positions.
     *
     * @param position from {@link #start()} to {@link #end()}
     * @return the number of stretches no longer referenced
     */
    public int release(long position) {
        if (position < start || position > end) {
            throw new IndexOutOfBoundsException(outside(position, 0));
        }
        start = position;
        int dropped = stretches.dropUpTo(position);
        stretch -= dropped;
        if (current < position) {
            forgetCurrent();
        }
        return dropped;
    }

    private void forgetCurrent() {
        stretch = 0;
        segment = MemorySegment.NULL;
        current = 0;
        size = 0;
        shift = 0;
    }

    /** The maximum number of stretches. */
    public int maxStretches() {
        return maxStretches;
    }

    /** The number of refused stretches since the buffer was created. */
    public long refused() {
        return refused;
    }

    /** The position of the first byte. */
    public long start() {
        return start;
    }

    /** The position after the last byte. */
    public long end() {
        return end;
    }

    /** The number of bytes. */
    public long length() {
        return end - start;
    }

    /** The number of stretches. */
    public int stretchCount() {
        return stretches.count();
    }

    /** The stretch that holds the byte at {@code position}, 0 for the first. */
    public int stretchAt(long position) {
        check(position, 1);
        return stretches.find(position);
    }

    /** The position of the first unreleased byte of stretch {@code i}. */
    public long stretchStart(int stretch) {
        return Objects.checkIndex(stretch, stretches.count()) == 0 ? start : stretches.end(stretch - 1);
    }

    /** The position after the last byte of stretch {@code i}. */
    public long stretchEnd(int stretch) {
        return stretches.end(Objects.checkIndex(stretch, stretches.count()));
    }

    /** The segment that holds stretch {@code i}, from {@link #stretchOffset}. */
    public MemorySegment stretchSegment(int stretch) {
        return stretches.segment(Objects.checkIndex(stretch, stretches.count()));
    }

    /** The offset in its segment of the first unreleased byte of stretch {@code i}. */
    public long stretchOffset(int stretch) {
        return stretchStart(stretch) + stretches.shift(stretch);
    }

    /** The number of unreleased bytes of stretch {@code i}. */
    public long stretchLength(int stretch) {
        return stretchEnd(stretch) - stretchStart(stretch);
    }

    /** The origin passed to {@link #append(MemorySegment, long, long, long)} with the byte at {@code position}. */
    public long originAt(long position) {
        return stretches.origin(stretchAt(position));
    }

    /**
     * Whether {@code length} bytes lie in one stretch. Then a view can wrap them in place: in
     * {@link #segmentAt} from {@link #offsetAt} on.
     */
    public boolean isContiguous(long position, long length) {
        check(position, length);
        return length == 0 || contiguousLength(position) >= length;
    }

    /** The number of bytes from {@code position} to the end of its stretch; 0 at {@link #end()}. */
    public long contiguousLength(long position) {
        check(position, 0);
        if (position == end) {
            return 0;
        }
        moveTo(position, 1);
        return current + size - position;
    }

    /** The segment that holds the byte at {@code position}. */
    public MemorySegment segmentAt(long position) {
        moveTo(position, 1);
        return segment;
    }

    /** The offset of that byte in {@link #segmentAt}. */
    public long offsetAt(long position) {
        moveTo(position, 1);
        return position + shift;
    }

    /** The byte at a position. */
    public int u8(long position) {
        long at = position - current;
        if (at < 0 || at >= size) {
            moveTo(position, 1);
        }
        return NetworkOrder.u8(segment, position + shift);
    }

    /** Two bytes, the highest first, as in all methods whose names do not say otherwise. */
    public int u16(long position) {
        return isInside(position, 2)
                ? NetworkOrder.u16(segment, position + shift)
                : u8(position) << 8 | u8(position + 1);
    }

    /** Three bytes, the highest first. */
    public int u24(long position) {
        return isInside(position, 3)
                ? NetworkOrder.u24(segment, position + shift)
                : u16(position) << 8 | u8(position + 2);
    }

    /** Four bytes, the highest first. */
    public long u32(long position) {
        return bits32(position) & 0xffff_ffffL;
    }

    /** Six bytes, the highest first, in the low 48 bits. */
    public long u48(long position) {
        return isInside(position, 6)
                ? NetworkOrder.u48(segment, position + shift)
                : (long) u16(position) << 32 | u32(position + 2);
    }

    /** The 32 bits as they are. */
    public int bits32(long position) {
        return isInside(position, 4)
                ? NetworkOrder.bits32(segment, position + shift)
                : u16(position) << 16 | u16(position + 2);
    }

    /** The 64 bits as they are. */
    public long bits64(long position) {
        return isInside(position, 8)
                ? NetworkOrder.bits64(segment, position + shift)
                : (long) bits32(position) << 32 | u32(position + 4);
    }

    /** Two bytes, the lowest first. */
    public int u16LittleEndian(long position) {
        return Integer.reverseBytes(u16(position)) >>> 16;
    }

    /** Three bytes, the lowest first. */
    public int u24LittleEndian(long position) {
        return Integer.reverseBytes(u24(position)) >>> 8;
    }

    /** Four bytes, the lowest first. */
    public long u32LittleEndian(long position) {
        return Integer.reverseBytes(bits32(position)) & 0xffff_ffffL;
    }

    /** The 64 bits as they are. */
    public long bits64LittleEndian(long position) {
        return Long.reverseBytes(bits64(position));
    }

    private boolean isInside(long position, int bytes) {
        long at = position - current;
        return at >= 0 && at <= size - bytes || moveTo(position, bytes);
    }

    /** Makes the stretch at {@code position} the current one; true if it also holds the next {@code bytes} bytes. */
    private boolean moveTo(long position, int bytes) {
        check(position, bytes);
        long at = position - current;
        if (at < 0 || at >= size) {
            stretch = near(position);
            segment = stretches.segment(stretch);
            shift = stretches.shift(stretch);
            current = stretchStart(stretch);
            size = stretches.end(stretch) - current;
        }
        return position - current <= size - bytes;
    }

    /** The stretch that holds {@code position}: usually the one next to the current one. */
    private int near(long position) {
        int next = stretch + 1;
        if (position >= current && next < stretches.count() && position < stretches.end(next)) {
            return position < stretches.end(stretch) ? stretch : next;
        }
        boolean isBefore = position < current && stretch > 0 && position >= stretchStart(stretch - 1);
        return isBefore ? stretch - 1 : stretches.find(position);
    }

    /**
     * Checks that {@code bytes} bytes from {@code position} on are inside the buffer.
     *
     * @throws IndexOutOfBoundsException if they are not, or {@code bytes} is negative
     */
    public void check(long position, long bytes) {
        if (position < start || position > end || bytes < 0 || bytes > end - position) {
            throw new IndexOutOfBoundsException(outside(position, bytes));
        }
    }

    private String outside(long position, long bytes) {
        return bytes + " bytes at " + position + " are not inside " + start + " to " + end;
    }

    /** Copies {@code length} bytes to a segment. */
    public void copyTo(long position, MemorySegment to, long offset, long length) {
        check(position, length);
        Objects.checkFromIndexSize(offset, length, to.byteSize());
        for (long done = 0; done < length; ) {
            long part = Math.min(contiguousLength(position + done), length - done);
            MemorySegment.copy(segment, position + done + shift, to, offset + done, part);
            done += part;
        }
    }

    /** Copies {@code length} bytes to an array. */
    public void copyTo(long position, byte[] to, int index, int length) {
        check(position, length);
        Objects.checkFromIndexSize(index, length, to.length);
        for (int done = 0; done < length; ) {
            int part = (int) Math.min(contiguousLength(position + done), length - done);
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, position + done + shift, to, index + done, part);
            done += part;
        }
    }

    /**
     * Makes {@code slice} read the {@code length} bytes from {@code position} on, by reference: its stretches are
     * replaced, and its positions start at 0.
     *
     * @param slice another buffer
     * @return false if they span more stretches than it can hold; it is then empty
     */
    public boolean slice(long position, long length, CompositeBuffer slice) {
        check(position, length);
        if (slice == this) {
            throw new IllegalArgumentException("slice must be another buffer than the one it is cut from");
        }
        slice.clear();
        for (long done = 0; done < length; ) {
            long part = Math.min(contiguousLength(position + done), length - done);
            if (!slice.append(segment, position + done + shift, part, stretches.origin(stretch))) {
                slice.clear();
                return false;
            }
            done += part;
        }
        return true;
    }

    /**
     * Finds a byte.
     *
     * @param value 0 to 255
     * @param position where to start
     * @param length the number of bytes to search
     * @return the position of the first such byte, or -1
     */
    public long indexOf(int value, long position, long length) {
        return CompositeSearch.indexOf(this, value, position, length);
    }

    /**
     * Finds a sequence of bytes, across seams too. It compares at each occurrence of the first byte: fast for text, but
     * in the worst case proportional to {@code length} times the length of the pattern.
     *
     * @param pattern the bytes to find; an empty pattern is found at once
     * @param position where to start
     * @param length the number of bytes to search
     * @return the position of its first byte, or -1
     */
    public long indexOf(MemorySegment pattern, long position, long length) {
        return CompositeSearch.indexOf(this, pattern, position, length);
    }

    /** Whether the bytes from {@code position} on are those of {@code pattern}; false if there are fewer. */
    public boolean matches(MemorySegment pattern, long position) {
        return CompositeSearch.matches(this, pattern, position);
    }

    /**
     * A stream over {@code length} bytes from {@code position} on, with mark and reset. Reading it allocates nothing.
     */
    public InputStream asInputStream(long position, long length) {
        check(position, length);
        return new CompositeInputStream(this, position, position + length);
    }

    /**
     * Read-only buffers of {@code length} bytes from {@code position} on, by reference: one for each stretch, for
     * gathering writes.
     */
    public ByteBuffer[] asByteBuffers(long position, int length) {
        check(position, length);
        if (length == 0) {
            return new ByteBuffer[0];
        }
        ByteBuffer[] views = new ByteBuffer[stretchAt(position + length - 1) - stretchAt(position) + 1];
        int done = 0;
        for (int i = 0; i < views.length; i++) {
            int part = (int) Math.min(contiguousLength(position + done), length - done);
            views[i] = segment.asSlice(position + done + shift, part)
                    .asByteBuffer()
                    .asReadOnlyBuffer();
            done += part;
        }
        return views;
    }

    /**
     * One read-only buffer of {@code length} bytes from {@code position} on, big-endian: by reference where {@link
     * #isContiguous}, else a copy, since a {@link ByteBuffer} is contiguous.
     */
    public ByteBuffer asByteBuffer(long position, int length) {
        if (length > 0 && isContiguous(position, length)) {
            return asByteBuffers(position, length)[0];
        }
        byte[] copy = new byte[length];
        copyTo(position, copy, 0, length);
        return ByteBuffer.wrap(copy).asReadOnlyBuffer();
    }

    @Override
    public String toString() {
        return "positions " + start + " to " + end + " in " + stretches.count() + " stretches";
    }
}
