package io.offhook.transport;

/**
 * How long a peer may take, in nanoseconds; each at least 1. They are met with a delay of at most 0.1 s, never early.
 *
 * @param connectNs for the establishment of TCP
 * @param handshakeNs for the establishment of TLS after that of TCP
 * @param idleNs without a received byte; {@link Connection#idleNs} sets another for one connection
 * @param unreadNs from the first byte of what the handler has not consumed to its last: bounds a peer that sends a message
 *     byte by byte
 * @param stallNs for bytes that wait to be sent: bounds a peer that does not read, or reads byte by byte
 * @param finishNs for the peer to finish sending after this side has, in {@link Connection#closeAfterSending}
 */
public record ConnectionTimeouts(
        long connectNs, long handshakeNs, long idleNs, long unreadNs, long stallNs, long finishNs) {
    private static final long SECOND_NS = 1_000_000_000L;

    /** 5 s to connect, 10 s for TLS, 1 h idle, 30 s for an incomplete message, 30 s for a stalled send, 5 s to finish. */
    public static final ConnectionTimeouts DEFAULT = new ConnectionTimeouts(
            5 * SECOND_NS, 10 * SECOND_NS, 3600 * SECOND_NS, 30 * SECOND_NS, 30 * SECOND_NS, 5 * SECOND_NS);

    /** Checks the times. */
    public ConnectionTimeouts {
        check("connectNs", connectNs);
        check("handshakeNs", handshakeNs);
        check("idleNs", idleNs);
        check("unreadNs", unreadNs);
        check("stallNs", stallNs);
        check("finishNs", finishNs);
    }

    private static void check(String name, long value) {
        if (value < 1 || value > Long.MAX_VALUE / 4) {
            throw new IllegalArgumentException(name + " is " + value + "; the limits are 1 and " + Long.MAX_VALUE / 4);
        }
    }
}
