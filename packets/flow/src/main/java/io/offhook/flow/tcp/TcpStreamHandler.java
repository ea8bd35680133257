package io.offhook.flow.tcp;

import java.lang.foreign.MemorySegment;

/**
 * Receives the bytes of TCP streams. {@link TcpStreams} calls it on its own thread, from {@link TcpStreams#segment} and
 * {@link TcpStreams#flush}; the handler must not call either.
 *
 * <p>The calls for one stream depend only on the packets of its connection, provided that limits on the whole table are
 * not reached and timestamps do not go backwards by more than the hold time. The interleaving of calls for several
 * streams is not fixed: a hole that never fills may be reported at a later packet of another connection.
 */
public interface TcpStreamHandler {

    /** What to do with a payload whose position in its stream is unknown, because the start was not captured. */
    enum Pickup {
        /** Keep nothing; ask again at the next payload. */
        IGNORE,
        /** The stream can be understood from the first byte of this payload on. */
        NOW,
        /**
         * The payload may be the middle of something wanted. It is held, as are those that follow, until an earlier
         * payload is accepted with NOW or a limit is reached; the stream then starts at the lowest byte held.
         */
        WAIT
    }

    /** Why a stream ended. */
    enum End {
        /** The sender closed its direction, and all bytes before that were reported. */
        FIN,
        /** One end reset the connection. */
        RST,
        /** The stream was evicted because the table was full. */
        EVICTED,
        /** The connection had no packet for the idle timeout. */
        IDLE,
        /** A new connection reused the ports. */
        REUSED,
        /** The capture ended. */
        CAPTURE_END
    }

    /**
     * Asks what to do with a payload of a direction whose start was not captured and that is not followed yet.
     *
     * @param segment memory with the payload; valid until the call returns
     * @param payloadOffset the first byte of payload in the segment
     * @param payloadLength captured bytes of payload, 1 or more
     */
    Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength);

    /**
     * Passes the next bytes of a stream, in order, each byte once. Time and frame number are those of the packet that
     * carried the bytes. They go backwards if packets arrived out of order, so data that spans several calls was
     * complete at the latest of their times.
     *
     * @param stream the stream
     * @param segment memory with the bytes; valid until the call returns
     * @param offset the first byte in the segment
     * @param length bytes, 1 or more
     * @param timestampNs the time of the packet, in nanoseconds since the epoch
     * @param frameNumber the number of the packet's frame
     */
    void data(TcpStream stream, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber);

    /**
     * Reports a hole: bytes of the stream that were not captured. Bytes that arrive for it later are dropped.
     *
     * @param stream the stream
     * @param missingBytes the size of the hole, 1 or more
     * @param timestampNs the time of the first packet after the hole, or of the snapped packet
     * @param frameNumber the number of that packet's frame
     */
    void gap(TcpStream stream, long missingBytes, long timestampNs, long frameNumber);

    /**
     * The last call for a stream, unless the stream was ignored. Held bytes have been reported before, with their
     * holes.
     */
    void end(TcpStream stream, End reason);
}
