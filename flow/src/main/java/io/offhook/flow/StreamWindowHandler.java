package io.offhook.flow;

import io.offhook.flow.TcpStreamHandler.End;
import io.offhook.flow.TcpStreamHandler.Pickup;
import java.lang.foreign.MemorySegment;

/**
 * Reads TCP streams through windows: sees what has come and was not {@linkplain StreamWindow#release released}, as one.
 * Called by {@link StreamWindows} on its thread; it must not call {@link TcpStreams} from here, nor any window but the one
 * at hand.
 */
public interface StreamWindowHandler {

    /** As {@link TcpStreamHandler#pickup}. */
    Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength);

    /**
     * More bytes have come, at the end of the window. What of it is not released now is there again next time.
     *
     * @param window valid until the stream's end; its bytes are borrowed until they are released or given up
     */
    void data(TcpStream stream, StreamWindow window);

    /**
     * Bytes are missing behind the end of the window. It is the last time to read what is before them: the window begins
     * anew behind the hole, at the offset {@code window.end() + missingBytes}.
     *
     * @param missingBytes 1 or more; {@link TcpStream#isGapAcknowledged()} says whose fault it was
     */
    void gap(TcpStream stream, StreamWindow window, long missingBytes);

    /**
     * A limit is reached, that of the stream or that of all, of which this one waits longest. It is the last time to read
     * what is in the window: it is empty afterwards, and goes on at its end.
     */
    void overflow(TcpStream stream, StreamWindow window);

    /** The last call for a stream, unless it was ignored. What is in the window was not released, and is let go of now. */
    void end(TcpStream stream, StreamWindow window, End reason);
}
