package io.offhook.transport;

/**
 * What the connections of {@link ConnectionLoops} may use. Whatever exceeds a limit is refused and counted.
 *
 * @param connections the most connections that are open at once, in both directions; at least 1
 * @param connectionsPerSource the most accepted connections that one source has open; a source is an IPv4 address, or the
 *     64 bits of an IPv6 network, whose addresses one host can use as it likes; at least 1
 * @param queuedBytes the most bytes that wait to be sent on one connection; at least 1
 * @param queuedBytesInAll the most bytes that wait to be sent on all connections
 * @param unreadBytes the most bytes received on one connection that its handler has not consumed, so the longest unit that
 *     a handler can see at once; 1 to 16 MiB
 * @param unreadBytesInAll the most bytes received on all connections that handlers have not consumed
 */
public record ConnectionLimits(
        int connections,
        int connectionsPerSource,
        int queuedBytes,
        long queuedBytesInAll,
        int unreadBytes,
        long unreadBytesInAll) {
    /** 20,000 connections, 1,000 of a source, 1 MiB and 256 MiB queued, 128 KiB and 256 MiB unread. */
    public static final ConnectionLimits DEFAULT =
            new ConnectionLimits(20_000, 1_000, 1 << 20, 256L << 20, 128 << 10, 256L << 20);

    /** Checks the limits. */
    public ConnectionLimits {
        check("connections", connections, Integer.MAX_VALUE);
        check("connectionsPerSource", connectionsPerSource, Integer.MAX_VALUE);
        check("queuedBytes", queuedBytes, Integer.MAX_VALUE);
        check("queuedBytesInAll", queuedBytesInAll, Long.MAX_VALUE);
        check("unreadBytes", unreadBytes, 16 << 20);
        check("unreadBytesInAll", unreadBytesInAll, Long.MAX_VALUE);
    }

    private static void check(String name, long value, long most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(name + " is " + value + "; the limits are 1 and " + most);
        }
    }

    /** The same limits with others on the number of connections. */
    public ConnectionLimits withConnections(int inAll, int perSource) {
        return new ConnectionLimits(inAll, perSource, queuedBytes, queuedBytesInAll, unreadBytes, unreadBytesInAll);
    }

    /** The same limits with others on the bytes that wait to be sent. */
    public ConnectionLimits withQueuedBytes(int perConnection, long inAll) {
        return new ConnectionLimits(
                connections, connectionsPerSource, perConnection, inAll, unreadBytes, unreadBytesInAll);
    }

    /** The same limits with others on the bytes that were received and not consumed. */
    public ConnectionLimits withUnreadBytes(int perConnection, long inAll) {
        return new ConnectionLimits(
                connections, connectionsPerSource, queuedBytes, queuedBytesInAll, perConnection, inAll);
    }
}
