package io.offhook.analysis;

import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;

/**
 * A protocol over TCP: recognizes streams and reads them. Of several, the first that recognizes a stream reads it; what
 * none of them takes is looked through for SIP. One instance for each shard of connections, used by one thread at a time.
 */
public interface StreamProtocol {
    /**
     * Whether a stream can be read from here on; asked for the first bytes of a stream, and, where the beginning of a
     * connection was not captured, payload by payload.
     *
     * @param length bytes there, 1 or more
     */
    Pickup pickup(MemorySegment segment, long offset, int length);

    /**
     * Begins to read one direction of a connection.
     *
     * @param out takes the SIP messages that are found in it
     */
    StreamReader begin(TcpStream stream, StreamOutput out);

    /** Takes the SIP messages of streams. */
    @FunctionalInterface
    interface StreamOutput {
        /**
         * A message was read. Its bytes are copied.
         *
         * @param stream that it came in
         * @param transport as Via would name it: TCP or WS
         */
        void message(TcpStream stream, StreamMessage message, SipTransport transport);
    }
}
