package io.offhook.packet.buffer;

import io.offhook.packet.FieldRange;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A window that slides over an endless stream: what was appended and not yet released is retained, by reference, and
 * read at its offset in the stream.
 *
 * <pre>
 *  stream offset 0        start()                end()
 *    - - - - - - - - - - -+---------------------+ - - -
 *         released        |      retained       | to come
 *    - - - - - - - - - - -+---------------------+ - - -
 * </pre>
 *
 * <p>Two limits hold, bytes and stretches retained. When a stretch would break one, {@link WhenFull} decides: it is
 * refused, or the oldest stretches give way to it. Both are counted. A stretch that is longer than the byte limit is
 * always refused. So the bytes that {@code start()} to {@code end()} names are there, always.
 *
 * <p>An instance is used by one thread at a time. It owns its stretches' places, not their bytes: who appends them sees
 * to it that they stay until {@code start()} has passed them.
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
     * A window at the beginning of a stream.
     *
     * @param maxStretches the most stretches that are retained, 1 to {@link CompositeBuffer#MAX_STRETCHES}
     * @param maxBytes the most bytes that are retained, 1 or more
     */
    public SlidingWindow(int maxStretches, long maxBytes, WhenFull whenFull) {
        FieldRange.check("maxBytes", maxBytes, 1, Long.MAX_VALUE);
        bytes = new CompositeBuffer(maxStretches);
        this.maxBytes = maxBytes;
        this.whenFull = whenFull;
    }

    /** Forgets what it holds, not its counters; the stream goes on at that offset, 0 or more. */
    public void restart(long offset) {
        bytes.clear(offset);
    }

    /** As {@link #append(MemorySegment, long, long, long)}, of origin 0. */
    public boolean append(MemorySegment segment, long offset, long length) {
        return append(segment, offset, length, 0);
    }

    /**
     * Adds what comes next in the stream, by reference.
     *
     * @param origin a number of the caller, returned by {@link CompositeBuffer#originAt}: the frame that carried it
     * @return false if it is refused; {@code end()} stays, and {@link #refusedBytes()} counts it
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
     * @return stretches that are no longer referenced
     */
    public int release(long offset) {
        return bytes.release(offset);
    }

    /**
     * Steps over bytes of the stream that will not come. A range with a hole in it cannot be read as one, so what is
     * before the hole is let go of: read it first.
     *
     * @param length of the hole in bytes, 0 or more
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

    /** Bytes that are retained. */
    public long length() {
        return bytes.length();
    }

    /** The most bytes that it retains. */
    public long maxBytes() {
        return maxBytes;
    }

    /** Bytes refused because a limit was reached. */
    public long refusedBytes() {
        return refusedBytes;
    }

    /** Bytes that gave way, unreleased, to newer ones. */
    public long evictedBytes() {
        return evictedBytes;
    }

    /**
     * What is retained, to be read at stream offsets. It is the window's own: append and release through the window.
     */
    public CompositeBuffer bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "stream " + start() + " to " + end() + " in " + bytes.stretchCount() + " stretches";
    }
}
