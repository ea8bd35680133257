package io.offhook.flow.tcp;

import io.offhook.flow.Holding;
import io.offhook.flow.state.BlockPool;
import io.offhook.flow.state.Counts;
import io.offhook.packet.PlacedCount;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Gives each TCP stream a window, for a reader whose messages span segments. Instead of keeping its own buffer, the
 * reader leaves what it cannot use yet in the {@link StreamWindow}, and later finds it there contiguous with the bytes
 * that follow. Pass this object to {@link TcpStreams} as its handler; the reader is a {@link StreamWindowHandler}.
 *
 * <p>Bytes are presented in place. Those that are not released in the call that reported them are held: copied or,
 * where frames stay valid, referenced ({@link Holding}, which must be that of the {@link TcpStreams}). Data read
 * segment by segment is therefore never copied, and data that spans segments at most once.
 *
 * <p>There are two limits. A stream that reaches its own is emptied. If the limit on all streams is reached, the
 * windows that have gone longest without a release are emptied. The reader is notified first
 * ({@link StreamWindowHandler#overflow}), and the loss is counted. A stream that is
 * {@linkplain TcpStream#ignore ignored} from within a call drops its bytes at once.
 *
 * <p>Not thread-safe: for the thread of the {@link TcpStreams}. Bytes of a stream cost no allocation once its window
 * has grown to the size it needs. Closing frees the memory; close the {@link TcpStreams} first.
 */
public final class StreamWindows implements TcpStreamHandler, AutoCloseable {
    /** An empty window has room for this many bytes, whatever the limits. */
    private static final int MOST_AT_ONCE = 1 << 16;

    private final StreamWindowLimits limits;
    private final StreamWindowHandler handler;
    private final Counts<StreamWindowCounter> counts = new Counts<>(StreamWindowCounter.class);
    private final BlockPool pool;
    private @Nullable StreamWindow longest;
    private @Nullable StreamWindow latest;

    /**
     * Creates windows for the streams to come.
     *
     * @param limits the limits on retained bytes
     * @param holding whether bytes that the reader leaves are copied, or referenced because their frames stay valid
     * @param handler the reader
     */
    public StreamWindows(StreamWindowLimits limits, Holding holding, StreamWindowHandler handler) {
        this.limits = limits;
        this.handler = handler;
        pool = new BlockPool(limits.bytes(), holding);
    }

    /** The value of a counter, in occurrences or bytes, since construction. */
    public long count(StreamWindowCounter counter) {
        return counts.get(counter);
    }

    /** The value of a counter with its place, that of the first byte lost. Passed and retained bytes have no place. */
    public PlacedCount placed(StreamWindowCounter counter) {
        return counts.placed(counter);
    }

    /** Bytes of memory reserved for retained data: at most {@link StreamWindowLimits#bytes()}. */
    public long reservedBytes() {
        return pool.reservedBytes();
    }

    @Override
    public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
        return handler.pickup(segment, payloadOffset, payloadLength);
    }

    @Override
    public void data(
            TcpStream stream, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
        StreamWindow window = windowOf(stream);
        for (int shown = 0; shown < length && !stream.isIgnored(); ) {
            int part = Math.min(length - shown, MOST_AT_ONCE);
            show(stream, window, segment, offset + shown, part, timestampNs, frameNumber);
            shown += part;
        }
    }

    private void show(
            TcpStream stream,
            StreamWindow window,
            MemorySegment segment,
            long offset,
            int length,
            long timestampNs,
            long frameNumber) {
        if (window.length() > 0 && !hasRoom(window, length)) {
            overflow(window, StreamWindowCounter.STREAM_OVERFLOWS);
        }
        boolean isBorrowed = window.length() == 0;
        if (isBorrowed) {
            window.borrowed(timestampNs, frameNumber);
            window.window().append(segment, offset, length, StreamWindow.BORROWED);
        } else {
            keep(window, segment, offset, length, timestampNs, frameNumber);
        }
        if (!stream.isIgnored()) { // it may be: its window has just overflowed
            counts.add(StreamWindowCounter.BYTES, length);
            handler.data(stream, window);
        }
        if (stream.isIgnored()) {
            window.release(window.end());
        } else if (isBorrowed && window.length() > 0) {
            int left = (int) window.length();
            window.window().restart(window.start());
            keep(window, segment, offset + length - left, left, timestampNs, frameNumber);
        }
    }

    @Override
    public void gap(TcpStream stream, long missingBytes, long timestampNs, long frameNumber) {
        StreamWindow window = windowOf(stream);
        handler.gap(stream, window, missingBytes);
        window.release(window.end());
        window.window().skip(missingBytes);
    }

    @Override
    public void end(TcpStream stream, End reason) {
        StreamWindow window = windowOf(stream);
        handler.end(stream, window, reason);
        window.release(window.end());
    }

    @Override
    public void close() {
        pool.close();
    }

    private StreamWindow windowOf(TcpStream stream) {
        StreamWindow window = (StreamWindow) stream.attachment();
        if (window == null) {
            window = new StreamWindow(this, stream, limits);
            stream.attachment(window);
        }
        return window;
    }

    private boolean hasRoom(StreamWindow window, int length) {
        int pieces = pool.isReferencing() ? 1 : BlockPool.blocksFor(length);
        return window.length() + length <= limits.bytesPerStream()
                && window.bytes().stretchCount() + pieces <= limits.stretchesPerStream();
    }

    /**
     * Holds bytes at the end of a window that has room for them; empties other windows if the limit on all is reached.
     */
    private void keep(
            StreamWindow window, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
        makeRoom(length);
        for (int kept = 0; kept < length; ) {
            int piece = pool.pieceLength(length - kept);
            int block = pool.keep(segment, offset + kept, piece);
            if (block == BlockPool.NONE) {
                throw new IllegalStateException("internal error: the room made for " + length + " bytes is gone");
            }
            pool.describe(block, 0, piece, false, timestampNs, frameNumber);
            window.window().append(pool.segment(block), pool.offset(block), piece, block);
            kept += piece;
        }
        counts.add(StreamWindowCounter.RETAINED_BYTES, length);
        if (!window.isRetaining) {
            addLatest(window);
        }
    }

    private void makeRoom(int length) {
        for (StreamWindow gives = longest; gives != null && !pool.hasRoomFor(length, 0); gives = longest) {
            overflow(gives, StreamWindowCounter.OVERFLOWS);
        }
    }

    /** Empties a window that is not empty. */
    private void overflow(StreamWindow window, StreamWindowCounter cause) {
        long frameNumber = window.frameNumberAt(window.start());
        long timestampNs = window.timestampNsAt(window.start());
        if (!window.stream().isIgnored()) {
            counts.addAt(frameNumber, timestampNs, cause);
            handler.overflow(window.stream(), window);
            if (window.length() > 0) {
                counts.addAt(frameNumber, timestampNs, StreamWindowCounter.LOST_BYTES, window.length());
            }
        }
        window.release(window.end());
    }

    /** Releases the bytes of this origin. */
    void released(long origin) {
        if (origin != StreamWindow.BORROWED) {
            pool.release((int) origin);
        }
    }

    /** Moves a window that retains bytes to the end of the eviction order, after a release. */
    void place(StreamWindow window) {
        if (window.isRetaining) {
            remove(window);
            if (window.length() > 0) {
                addLatest(window);
            }
        }
    }

    long frameNumber(long origin) {
        return pool.frameNumber((int) origin);
    }

    long timestampNs(long origin) {
        return pool.timestampNs((int) origin);
    }

    private void addLatest(StreamWindow window) {
        window.isRetaining = true;
        StreamWindow last = latest;
        window.before = last;
        if (last == null) {
            longest = window;
        } else {
            last.after = window;
        }
        latest = window;
    }

    private void remove(StreamWindow window) {
        StreamWindow before = window.before;
        StreamWindow after = window.after;
        if (before == null) {
            longest = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            latest = before;
        } else {
            after.before = before;
        }
        window.before = null;
        window.after = null;
        window.isRetaining = false;
    }
}
