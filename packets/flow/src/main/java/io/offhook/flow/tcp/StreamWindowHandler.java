package io.offhook.flow.tcp;

import io.offhook.flow.tcp.TcpStreamHandler.End;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import java.lang.foreign.MemorySegment;

/**
 * Reads TCP streams through windows: it sees all bytes that arrived and were not
 * {@linkplain StreamWindow#release released} as one sequence. {@link StreamWindows} calls it on its own thread. The
 * handler must not call {@link TcpStreams}, nor any window except the current one.
 */
public interface StreamWindowHandler {

    /** As {@link TcpStreamHandler#pickup}. */
    Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength);

    /**
     * Reports that more bytes arrived at the end of the window. Bytes that are not released in this call are in the
     * window again at the next one.
     *
     * @param stream the stream that the bytes belong to
     * @param window valid until the end of the stream; its bytes are borrowed until they are released or given up
     */
    void data(TcpStream stream, StreamWindow window);

    /**
     * Reports that bytes are missing after the end of the window. This is the last chance to read the bytes before the
     * hole: the window restarts behind it, at offset {@code window.end() + missingBytes}.
     *
     * @param stream the stream with the hole
     * @param window the window with the bytes before the hole
     * @param missingBytes 1 or more; {@link TcpStream#isGapAcknowledged()} says whether the network or the capture lost
     *     them
     */
    void gap(TcpStream stream, StreamWindow window, long missingBytes);

    /**
     * Reports that a limit is reached: that of the stream, or that of all streams, of which this one has waited
     * longest. This is the last chance to read the window: it is emptied afterwards and continues at its end.
     */
    void overflow(TcpStream stream, StreamWindow window);

    /** The last call for a stream, unless the stream was ignored. Bytes still in the window are dropped afterwards. */
    void end(TcpStream stream, StreamWindow window, End reason);
}
