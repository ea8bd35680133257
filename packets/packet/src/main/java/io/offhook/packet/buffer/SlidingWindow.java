package io.offhook.packet.buffer;

import io.offhook.packet.FieldRange;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A window that slides over an endless stream: it retains, by reference, the bytes appended and not yet released, which
 * are read at their offsets in the stream.
 *
 * <pre>
 *  stream offset 0        start()                end()
 *    - - - - - - - - - - -+---------------------+ - - -
 *         released        |      retained       | to come
 *    - - - - - - - - - - -+---------------------+ - - -
 * </pre>
 *
 * <p>Bytes and stretches retained are limited. If a stretch would exceed a limit, {@link WhenFull} decides: it is
 * refused, or the oldest stretches are dropped. Both are counted. A stretch longer than the byte limit is always
 * refused. All bytes from {@code start()} to {@code end()} are always readable.
 *
 * <p>One thread at a time. The bytes are borrowed: the caller that appends them keeps them valid until {@code start()}
 * has passed them.
 */
public final class SlidingWindow {
    private final CompositeBuffer bytes;
    private final long maxBytes;
    private final WhenFull whenFull;
    private long refusedBytes;
    private long evictedBytes;

    /** The bytes that are refused or dropped at a limit. */
    public enum WhenFull {
        /** New bytes are refused until the reader releases some. No retained byte is lost. */
        REFUSE_NEW,
        /** The oldest stretches are dropped until the new one fits. */
        EVICT_OLDEST
    }

    /**
     * Creates a window at the beginning of a stream.
     *
     * @param maxStretches the maximum number of stretches retained, 1 to {@link CompositeBuffer#MAX_STRETCHES}
     * @param maxBytes the maximum number of bytes retained, 1 or more
     */
    public SlidingWindow(int maxStretches, long maxBytes, WhenFull whenFull) {
        FieldRange.check("maxBytes", maxBytes, 1, Long.MAX_VALUE);
        bytes = new CompositeBuffer(maxStretches);
        this.maxBytes = maxBytes;
        this.whenFull = whenFull;
    }

    /** Drops all bytes, but keeps the counters; the stream continues at that offset, 0 or more. */
    public void restart(long offset) {
        bytes.clear(offset);
    }

    /** As {@link #append(MemorySegment, long, long, long)}, of origin 0. */
    public boolean append(MemorySegment segment, long offset, long length) {
        return append(segment, offset, length, 0);
    }

    /**
     * Appends the next bytes of the stream, by reference.
     *
     * @param origin a number chosen by the caller and returned by {@link CompositeBuffer#originAt}: the frame that
     *     carried it
     * @return false if they are refused; {@code end()} remains, and {@link #refusedBytes()} counts them
     * @throws IndexOutOfBoundsException if the stretch is not inside the segment
     */
    public boolean append(MemorySegment segment, long offset, long length, long origin) {
        Objects.checkFromIndexSize(offset, length, segment.byteSize());
        if (whenFull == WhenFull.EVICT_OLDEST && length > 0 && length <= maxBytes) {
            makeRoom(length);
        }
        if (length <= maxBytes - bytes.length() && bytes.append(segment, offset, length, origin)) {
            return true;
        }
        refusedBytes += length;
        return false;
    }

    private void makeRoom(long length) {
        while (bytes.stretchCount() > 0
                && (bytes.stretchCount() == bytes.maxStretches() || length > maxBytes - bytes.length())) {
            evictedBytes += bytes.stretchLength(0);
            bytes.release(bytes.stretchEnd(0));
        }
    }

    /**
     * Releases the bytes before {@code offset}, which the reader no longer needs.
     *
     * @param offset from {@code start()} to {@code end()}
     * @return the number of stretches no longer referenced
     */
    public int release(long offset) {
        return bytes.release(offset);
    }

    /**
     * Skips bytes of the stream that will not arrive. A range with a hole cannot be read as one, so the bytes before
     * the hole are released: read them first.
     *
     * @param length the length of the hole, in bytes, 0 or more
     */
    public void skip(long length) {
        FieldRange.check("length", length, Long.MAX_VALUE - bytes.end());
        bytes.clear(bytes.end() + length);
    }

    /** The stream offset of the first byte retained. */
    public long start() {
        return bytes.start();
    }

    /** The stream offset after the last byte. */
    public long end() {
        return bytes.end();
    }

    /** The number of bytes retained. */
    public long length() {
        return bytes.length();
    }

    /** The maximum number of bytes retained. */
    public long maxBytes() {
        return maxBytes;
    }

    /** The number of bytes refused at a limit. */
    public long refusedBytes() {
        return refusedBytes;
    }

    /** The number of unreleased bytes dropped in favour of newer ones. */
    public long evictedBytes() {
        return evictedBytes;
    }

    /** The retained bytes, to be read at stream offsets. Append and release through the window only. */
    public CompositeBuffer bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "stream " + start() + " to " + end() + " in " + bytes.stretchCount() + " stretches";
    }
}
