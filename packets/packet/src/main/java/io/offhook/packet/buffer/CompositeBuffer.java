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
 * <p>Bytes are addressed by position: a long that counts from {@link #start()}, 0 unless {@link #clear(long)} said
 * otherwise. What is released at the front takes its positions with it, the others keep theirs. A read inside the
 * stretch that was read last costs little more than one from a segment; over a seam the bytes are put together one by
 * one.
 *
 * <p>The stretches are borrowed: the caller that appends them keeps them valid. Not more than {@link #maxStretches()}
 * are taken; beyond, {@link #append} refuses and counts. An instance is used by one thread at a time, for reading too.
 * A read outside of {@code start()} to {@code end()} is an {@link IndexOutOfBoundsException}.
 */
public final class CompositeBuffer {
    /** The most stretches that can be asked for. */
    public static final int MAX_STRETCHES = 1 << 24;

    private final int maxStretches;
    private final StretchRing stretches;
    private long start;
    private long end;
    private long refused;

    // the stretch that was read last: of its positions, those from current on
    private int stretch;
    private MemorySegment segment = MemorySegment.NULL;
    private long current;
    private long size;
    private long shift;

    /**
     * A buffer without bytes, that starts at position 0.
     *
     * @param maxStretches the most stretches it takes, 1 to {@link #MAX_STRETCHES}
     */
    public CompositeBuffer(int maxStretches) {
        if (maxStretches < 1 || maxStretches > MAX_STRETCHES) {
            throw new IllegalArgumentException("maxStretches " + maxStretches + " is not in 1 to " + MAX_STRETCHES);
        }
        this.maxStretches = maxStretches;
        stretches = new StretchRing(maxStretches);
    }

    /** Forgets all stretches; positions start at 0. */
    public void clear() {
        clear(0);
    }

    /** Forgets all stretches; the next one appended starts at that position, 0 or more. */
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
     * @param origin a number of the caller, returned by {@link #originAt}: the frame that carried it
     * @return false if it is refused, because stretches or positions ran out; {@link #refused()} counts it
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

    /** The most stretches that it holds. */
    public int maxStretches() {
        return maxStretches;
    }

    /** How often a stretch was refused, since the buffer was made. */
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

    /** Bytes in all. */
    public long length() {
        return end - start;
    }

    /** Stretches that it holds. */
    public int stretchCount() {
        return stretches.count();
    }

    /** The stretch that holds the byte at {@code position}, 0 for the first. */
    public int stretchAt(long position) {
        check(position, 1);
        return stretches.find(position);
    }

    /** The position of its first byte that is not released. */
    public long stretchStart(int stretch) {
        return Objects.checkIndex(stretch, stretches.count()) == 0 ? start : stretches.end(stretch - 1);
    }

    /** The position after its last byte. */
    public long stretchEnd(int stretch) {
        return stretches.end(Objects.checkIndex(stretch, stretches.count()));
    }

    /** The segment that holds stretch {@code i}, from {@link #stretchOffset}. */
    public MemorySegment stretchSegment(int stretch) {
        return stretches.segment(Objects.checkIndex(stretch, stretches.count()));
    }

    /** The offset in its segment of its first byte that is not released. */
    public long stretchOffset(int stretch) {
        return stretchStart(stretch) + stretches.shift(stretch);
    }

    /** Its bytes that are not released. */
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

    /** Bytes from {@code position} on to the end of its stretch; 0 at {@link #end()}. */
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

    /** Where in {@link #segmentAt} that byte is. */
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

    /** Big-endian, as are all without another word in their name. */
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

    /** 48 bits, as a MAC address has, in the low end. */
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

    /** The stretch that holds {@code position}: most often the one next to the current one. */
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
     * @param slice another one than this
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
     * @param length bytes to look at
     * @return the position of the first such byte, or -1
     */
    public long indexOf(int value, long position, long length) {
        return CompositeSearch.indexOf(this, value, position, length);
    }

    /**
     * Finds bytes, over seams as well. It looks at each place where the first of them is: text is found fast, a pattern
     * made to be slow takes length times its own length.
     *
     * @param pattern what to find; of no bytes, it is found at once
     * @param position where to start
     * @param length bytes that it must lie in
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
     * A stream over {@code length} bytes from {@code position} on, with mark and reset. It allocates itself, nothing
     * more.
     */
    public InputStream asInputStream(long position, long length) {
        check(position, length);
        return new CompositeInputStream(this, position, position + length);
    }

    /**
     * Read-only views of {@code length} bytes from {@code position} on, by reference: one a stretch, for gathering
     * writes.
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
     * One read-only buffer of {@code length} bytes from {@code position} on, big-endian: by reference where
     * {@link #isContiguous}, else a copy, since a {@link ByteBuffer} knows one piece of memory only.
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
