package io.offhook.flow;

import java.lang.foreign.MemorySegment;

/**
 * Who wants the bytes of TCP streams. Called by {@link TcpStreams} on its thread, from within {@link
 * TcpStreams#segment} and {@link TcpStreams#flush}; it must not call either from here.
 *
 * <p>The calls for one stream are a function of the packets of its connection (as long as limits on the whole table are
 * not reached, and timestamps do not go back by more than the hold time). How the calls for several streams interleave
 * is not: a hole that never fills may be told with a later packet of another connection.
 */
public interface TcpStreamHandler {

    /** What to do with a payload whose place in its stream is not known, as the beginning was not captured. */
    enum Pickup {
        /** Not interesting: nothing is kept, the next payload is asked about again. */
        IGNORE,
        /** The stream can be understood from the first byte of this payload on. */
        NOW,
        /**
         * It may be the middle of something wanted: it is held, as are those that follow, until a lower one is taken
         * with NOW or a limit is reached; then the stream begins at the lowest byte held.
         */
        WAIT
    }

    /** Why a stream has no more bytes. */
    enum End {
        /** The sender closed its direction, and all bytes before that were told. */
        FIN,
        /** One of the two reset the connection. */
        RST,
        /** It gave way to others, as the table was full. */
        EVICTED,
        /** No packet of the connection came for the idle timeout. */
        IDLE,
        /** The two ports began another connection. */
        REUSED,
        /** The capture ended. */
        CAPTURE_END
    }

    /**
     * Asked for a payload of a direction whose beginning was not captured and that is not followed yet.
     *
     * @param payloadLength bytes captured, 1 or more
     */
    Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength);

    /**
     * The next bytes of a stream, in order, each once. Time and frame number are those of the packet that carried these
     * bytes: they go back where packets came out of order, so what spans several calls was complete at the latest of
     * their times.
     *
     * @param segment valid until the call returns
     * @param length 1 or more
     */
    void data(TcpStream stream, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber);

    /**
     * Bytes that the stream has here and that were not captured. What comes for them later is dropped.
     *
     * @param missingBytes 1 or more
     * @param timestampNs of the first packet behind the hole, or of the one that was captured short
     * @param frameNumber of that packet
     */
    void gap(TcpStream stream, long missingBytes, long timestampNs, long frameNumber);

    /** The last call for a stream, unless it was ignored. What was held has been told before, with its holes. */
    void end(TcpStream stream, End reason);
}
