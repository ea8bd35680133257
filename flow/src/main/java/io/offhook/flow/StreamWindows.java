package io.offhook.flow;

import io.offhook.packet.PlacedCount;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Gives each TCP stream a window, for a reader whose messages span segments: instead of a buffer of its own, it leaves in
 * the {@link StreamWindow} what it cannot read yet, and finds it there, as one, with what comes next. To be handed to
 * {@link TcpStreams} as its handler; the reader is a {@link StreamWindowHandler}.
 *
 * <p>Bytes are shown where they lie. Those that are not released in the call that told of them are kept: as copies, or where
 * frames stay by reference ({@link Holding}, the same as that of the {@link TcpStreams}). So what is read segment by segment
 * is never copied, and what spans segments once at most.
 *
 * <p>Two limits hold. A stream that reaches its own is emptied; when that on all streams is reached, the windows are emptied
 * that went longest without a release. Their reader is told before ({@link StreamWindowHandler#overflow}), and it is
 * counted. A stream that is {@linkplain TcpStream#ignore ignored} from within a call lets go of its bytes at once.
 *
 * <p>Single-threaded. Nothing is allocated for bytes of a stream whose window has grown to what it needs. Close frees the
 * memory; close the {@link TcpStreams} first.
 */
public final class StreamWindows implements TcpStreamHandler, AutoCloseable {
    /** So much fits into an empty window, whatever the limits. */
    private static final int MOST_AT_ONCE = 1 << 16;

    private final StreamWindowLimits limits;
    private final StreamWindowHandler handler;
    private final Counts<StreamWindowCounter> counts = new Counts<>(StreamWindowCounter.class);
    private final BlockPool pool;
    private @Nullable StreamWindow longest;
    private @Nullable StreamWindow latest;

    /**
     * Windows for streams to come.
     *
     * @param holding whether what a reader leaves is copied, or referenced as its frames stay
     */
    public StreamWindows(StreamWindowLimits limits, Holding holding, StreamWindowHandler handler) {
        this.limits = limits;
        this.handler = handler;
        pool = new BlockPool(limits.bytes(), holding);
    }

    /** How often, or how many bytes, since the beginning. */
    public long count(StreamWindowCounter counter) {
        return counts.get(counter);
    }

    /** What was counted with its place, that of the first byte lost. Bytes handed on and retained have none. */
    public PlacedCount placed(StreamWindowCounter counter) {
        return counts.placed(counter);
    }

    /** Bytes of memory taken for what is retained: at most {@link StreamWindowLimits#bytes()}. */
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
        for (int told = 0; told < length && !stream.isIgnored(); ) {
            int part = Math.min(length - told, MOST_AT_ONCE);
            show(stream, window, segment, offset + told, part, timestampNs, frameNumber);
            told += part;
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
        if (!stream.isIgnored()) { // else it was as its window overflowed just now
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

    /** Keeps bytes at the end of a window that has room for them; others give way where all together have not. */
    private void keep(
            StreamWindow window, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
        makeRoom(length);
        for (int kept = 0; kept < length; ) {
            int piece = pool.pieceLength(length - kept);
            int block = pool.keep(segment, offset + kept, piece);
            if (block == BlockPool.NONE) {
                throw new IllegalStateException("room was made for " + length + " bytes, and is gone");
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

    /** Empties a window, which holds something. */
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

    /** Bytes of that origin are not needed any more. */
    void released(long origin) {
        if (origin != StreamWindow.BORROWED) {
            pool.release((int) origin);
        }
    }

    /** After a release: a window that still retains something is the one that gives way last. */
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
