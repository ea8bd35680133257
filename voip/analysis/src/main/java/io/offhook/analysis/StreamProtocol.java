package io.offhook.analysis;

import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.sip.SipTransport;
import java.lang.foreign.MemorySegment;

/**
 * A protocol over TCP: recognizes streams and reads them. The first protocol that recognizes a stream reads it; streams
 * that none recognizes are searched for SIP. There is one instance for each shard of connections, used by one thread at
 * a time.
 */
public interface StreamProtocol {
    /**
     * Whether a stream can be read from here on. Asked with the first bytes of a stream and, if the beginning of a
     * connection was not captured, with each payload.
     *
     * @param length bytes present, 1 or more
     */
    Pickup pickup(MemorySegment segment, long offset, int length);

    /**
     * Begins to read one direction of a connection.
     *
     * @param out receives the SIP messages found in it
     */
    StreamReader begin(TcpStream stream, StreamOutput out);

    /** Receives the SIP messages of streams. */
    @FunctionalInterface
    interface StreamOutput {
        /**
         * A message was read. Its bytes are copied.
         *
         * @param stream the stream that it came in
         * @param transport as in Via: TCP or WS
         */
        void message(TcpStream stream, StreamMessage message, SipTransport transport);
    }
}
