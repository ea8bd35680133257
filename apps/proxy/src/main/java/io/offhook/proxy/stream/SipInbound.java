package io.offhook.proxy.stream;

import io.offhook.sip.stream.SipStreamFault;
import io.offhook.transport.CloseCause;
import org.jspecify.annotations.Nullable;

/**
 * What receives from {@link SipConnections}. Called by the threads of the connection loops, for one flow by one thread at a
 * time; it must not block.
 */
public interface SipInbound {
    /** A flow was established: accepted, or begun here. */
    default void opened(StreamFlow flow) {}

    /**
     * A message arrived. Its length is right; anything else may be wrong with it.
     *
     * @param octets the array that it is in, valid until the method returns
     * @param offset its first byte
     * @param length its length
     */
    void message(byte[] octets, int offset, int length, StreamFlow flow);

    /** A single CRLF arrived, or a WebSocket pong: the answer to {@link StreamFlow#ping}. */
    default void pong(StreamFlow flow) {}

    /** The stream cannot be read on; the flow is being closed. A request with complete headers has been answered. */
    default void fault(StreamFlow flow, SipStreamFault fault) {}

    /**
     * A message was taken by {@link StreamFlow#send} or {@link SipConnections#send}, but the flow ended before it left: it
     * counts as answered with 503 (RFC 3261, 8.1.3.1). Called before {@link #closed}.
     *
     * @param token the one passed with the message
     */
    void unsent(StreamFlow flow, long token);

    /**
     * The flow ended, or could not be established. Called exactly once.
     *
     * @param detail what is known of the reason, for a log; it may be the peer's text, unescaped. Null if there is nothing
     */
    void closed(StreamFlow flow, CloseCause cause, @Nullable String detail);
}
