package io.offhook.flow;

import io.offhook.packet.CompositeBuffer;
import io.offhook.packet.SlidingWindow;
import org.jspecify.annotations.Nullable;

/**
 * The window on one direction of a TCP connection: the bytes that came, in order, and were not released yet. Not to be
 * confused with the receive window, which the header tells.
 *
 * <pre>
 *  stream offset 0        start()                  end()
 *    - - - - - - - - - - -+-----------------------+ - - -
 *         released        |       retained        | to come
 *    - - - - - - - - - - -+-----------------------+ - - -
 * </pre>
 *
 * <p>Offset 0 is the first byte told; holes count, so offsets are distances in the stream. Each byte knows the packet that
 * brought it. Single-threaded, as its {@link StreamWindows} is.
 */
public final class StreamWindow {
    /** The origin of the piece at hand, which is not kept. */
    static final long BORROWED = -1;

    private final StreamWindows owner;
    private final TcpStream stream;
    private final SlidingWindow window;
    private @Nullable Object attachment;
    private long borrowedFrameNumber;
    private long borrowedTimestampNs;

    /** Its place among the windows that retain something, longest first. */
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

    /** The stream whose bytes these are. */
    public TcpStream stream() {
        return stream;
    }

    /** What is retained, to be read at stream offsets; to be read only. */
    public CompositeBuffer bytes() {
        return window.bytes();
    }

    /** The stream offset of the first byte that is not released. */
    public long start() {
        return window.start();
    }

    /** The stream offset behind the last byte that came. */
    public long end() {
        return window.end();
    }

    /** Bytes that are retained. */
    public long length() {
        return window.length();
    }

    /**
     * Lets go of what is before {@code offset}: the reader is done with it.
     *
     * @param offset from {@link #start()} to {@link #end()}
     * @throws IndexOutOfBoundsException when it is not
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

    /** The number of the frame that brought the byte at {@code offset}, from {@link #start()} to before {@link #end()}. */
    public long frameNumberAt(long offset) {
        long origin = window.bytes().originAt(offset);
        return origin == BORROWED ? borrowedFrameNumber : owner.frameNumber(origin);
    }

    /** The time of that frame. Times go back where packets came out of order. */
    public long timestampNsAt(long offset) {
        long origin = window.bytes().originAt(offset);
        return origin == BORROWED ? borrowedTimestampNs : owner.timestampNs(origin);
    }

    /** What the handler put here. */
    public @Nullable Object attachment() {
        return attachment;
    }

    /** A place for whatever the handler wants to find again with the window. */
    public void attachment(@Nullable Object attachment) {
        this.attachment = attachment;
    }

    /** "192.0.2.1:5060 > 192.0.2.2:40000, stream 100 to 250 in 2 stretches". */
    @Override
    public String toString() {
        return stream + ", " + window;
    }

    SlidingWindow window() {
        return window;
    }

    /** The piece at hand came so. */
    void borrowed(long timestampNs, long frameNumber) {
        borrowedTimestampNs = timestampNs;
        borrowedFrameNumber = frameNumber;
    }
}
