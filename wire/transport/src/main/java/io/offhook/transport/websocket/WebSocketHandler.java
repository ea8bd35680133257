package io.offhook.transport.websocket;

import io.offhook.transport.CloseCause;
import io.offhook.transport.Connection;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a program does with one WebSocket. Called as a {@link io.offhook.transport.ConnectionHandler} is. */
public interface WebSocketHandler {
    /** As {@link io.offhook.transport.ConnectionHandler#acceptsPeer}. */
    default boolean acceptsPeer(Connection connection, List<X509Certificate> chain) {
        return true;
    }

    /** The handshake has succeeded. */
    default void opened(WebSocket socket) {}

    /**
     * A message arrived, in one frame or several.
     *
     * @param octets the array that it is in, valid until the method returns; it may overwrite the message
     * @param offset its first byte
     * @param length its length; may be 0
     * @param isText whether it is text, which is valid UTF-8 then
     */
    void message(WebSocket socket, byte[] octets, int offset, int length, boolean isText);

    /** The peer answered a {@link WebSocket#ping}, or sent a pong on its own. */
    default void pong(WebSocket socket) {}

    /** As {@link io.offhook.transport.ConnectionHandler#writable}. */
    default void writable(WebSocket socket) {}

    /** As {@link io.offhook.transport.ConnectionHandler#drained}. */
    default void drained(WebSocket socket) {}

    /**
     * It has ended, or the handshake failed. Called exactly once.
     *
     * @param code the status code that the peer, or else this side, closed it with (RFC 6455, 7.4); 1006 if neither did
     * @param detail what is known of the reason, for a log; from the peer, so unescaped. Null if there is nothing to add
     */
    void closed(WebSocket socket, CloseCause cause, int code, @Nullable String detail);
}
