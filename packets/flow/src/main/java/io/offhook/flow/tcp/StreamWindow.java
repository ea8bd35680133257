package io.offhook.flow.tcp;

import io.offhook.packet.buffer.CompositeBuffer;
import io.offhook.packet.buffer.SlidingWindow;
import org.jspecify.annotations.Nullable;

/**
 * The window on one direction of a TCP connection: the bytes that arrived, in order, and were not released yet. It is
 * unrelated to the receive window of the TCP header.
 *
 * <pre>
 *  stream offset 0        start()                  end()
 *    - - - - - - - - - - -+-----------------------+ - - -
 *         released        |       retained        | to come
 *    - - - - - - - - - - -+-----------------------+ - - -
 * </pre>
 *
 * <p>Offset 0 is the first byte reported. Holes count, so offsets are distances in the stream. For each byte the window
 * knows the packet that carried it. For the thread of its {@link StreamWindows}.
 */
public final class StreamWindow {
    /** The origin of the current piece, which is borrowed and not held. */
    static final long BORROWED = -1;

    private final StreamWindows owner;
    private final TcpStream stream;
    private final SlidingWindow window;
    private @Nullable Object attachment;
    private long borrowedFrameNumber;
    private long borrowedTimestampNs;

    /** Whether the window is in the list of windows that retain bytes, ordered by how long they have. */
    boolean isRetaining;

    @Nullable
    StreamWindow before;

    @Nullable
    StreamWindow after;

    StreamWindow(StreamWindows owner, TcpStream stream, StreamWindowLimits limits) {
        this.owner = owner;
        this.stream = stream;
        window = new SlidingWindow(
                limits.stretchesPerStream(), limits.bytesPerStream(), SlidingWindow.WhenFull.REFUSE_NEW);
    }

    /** The stream that this window is on. */
    public TcpStream stream() {
        return stream;
    }

    /** The retained bytes, addressed by stream offset; read-only. */
    public CompositeBuffer bytes() {
        return window.bytes();
    }

    /** The stream offset of the first byte that was not released. */
    public long start() {
        return window.start();
    }

    /** The stream offset after the last byte that arrived. */
    public long end() {
        return window.end();
    }

    /** The number of retained bytes. */
    public long length() {
        return window.length();
    }

    /**
     * Releases the bytes before {@code offset}: the reader no longer needs them.
     *
     * @param offset a stream offset from {@link #start()} to {@link #end()}
     * @throws IndexOutOfBoundsException if it is outside that range
     */
    public void release(long offset) {
        if (offset < start() || offset > end()) {
            throw new IndexOutOfBoundsException("offset " + offset + " is not in " + start() + " to " + end());
        }
        if (offset == start()) {
            return;
        }
        CompositeBuffer bytes = window.bytes();
        while (bytes.stretchCount() > 0 && bytes.stretchEnd(0) <= offset) {
            long origin = bytes.originAt(bytes.start());
            window.release(bytes.stretchEnd(0));
            owner.released(origin);
        }
        window.release(offset);
        owner.place(this);
    }

    /**
     * The number of the frame that carried the byte at {@code offset}, which is from {@link #start()} (inclusive) to
     * {@link #end()} (exclusive).
     */
    public long frameNumberAt(long offset) {
        long origin = window.bytes().originAt(offset);
        return origin == BORROWED ? borrowedFrameNumber : owner.frameNumber(origin);
    }

    /** The time of that frame, in nanoseconds since the epoch. Times go backwards if packets arrived out of order. */
    public long timestampNsAt(long offset) {
        long origin = window.bytes().originAt(offset);
        return origin == BORROWED ? borrowedTimestampNs : owner.timestampNs(origin);
    }

    /** The object that the handler attached; null if there is none. */
    public @Nullable Object attachment() {
        return attachment;
    }

    /** Attaches an object for the handler's own use; null for none. */
    public void attachment(@Nullable Object attachment) {
        this.attachment = attachment;
    }

    /** For example "192.0.2.1:5060 > 192.0.2.2:40000, stream 100 to 250 in 2 stretches". */
    @Override
    public String toString() {
        return stream + ", " + window;
    }

    SlidingWindow window() {
        return window;
    }

    /** Sets time and frame of the borrowed piece. */
    void borrowed(long timestampNs, long frameNumber) {
        borrowedTimestampNs = timestampNs;
        borrowedFrameNumber = frameNumber;
    }
}
