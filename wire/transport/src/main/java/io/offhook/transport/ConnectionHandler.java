package io.offhook.transport;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a program does with one connection. All methods are called by the thread of the connection's loop, so they must
 * not block; none is called while another runs. What a handler throws closes its connection and is counted.
 */
public interface ConnectionHandler {
    /**
     * Judges the certificate of a TLS peer before {@link #opened}: its name, for example by RFC 5922 for SIP. That an
     * authority vouches for it has been checked, unless the context trusts everyone.
     *
     * @param chain the peer's certificate first; empty if the peer of a server sent none
     * @return false to close the connection with {@link CloseCause#PEER_REFUSED}
     */
    default boolean acceptsPeer(Connection connection, List<X509Certificate> chain) {
        return true;
    }

    /** The connection is established, with TLS if it has TLS. Not called for one that fails before. */
    default void opened(Connection connection) {}

    /**
     * Bytes arrived. Units that are complete are consumed, all of them in one call; what is left is passed again, followed
     * by what arrives next. The bytes are valid until the method returns; it may overwrite them, and finds what it has
     * written in what it left.
     *
     * @param octets the array that the bytes are in
     * @param offset the first of them
     * @param length their number; at most {@link ConnectionLimits#unreadBytes}
     * @return the number of bytes consumed, 0 to {@code length}
     */
    int received(Connection connection, byte[] octets, int offset, int length);

    /**
     * The peer has finished sending, while this side may still send. Bytes that were left are given up. Unless overridden,
     * the connection closes once everything queued is sent.
     */
    default void peerFinished(Connection connection) {
        connection.closeAfterSending();
    }

    /** There is room again: after a refused send, at most half of the limit is queued now. */
    default void writable(Connection connection) {}

    /**
     * The loops are shutting down in order. Unless overridden, the connection closes once everything queued is sent; a
     * protocol that says good-bye sends that first.
     */
    default void draining(Connection connection) {
        connection.closeAfterSending();
    }

    /** Everything that was queued has been handed to the kernel. */
    default void drained(Connection connection) {}

    /**
     * The connection has ended, or could not be established. Called exactly once for each connection; nothing follows.
     *
     * @param detail what the system or TLS said, for a log; null if there is nothing to add
     */
    void closed(Connection connection, CloseCause cause, @Nullable String detail);
}
