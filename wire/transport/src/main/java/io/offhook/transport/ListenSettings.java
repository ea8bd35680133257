package io.offhook.transport;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where and how {@link ConnectionLoops#listen} accepts connections.
 *
 * @param address the address and port to bind; port 0 lets the kernel choose, see {@link Listener#port}
 * @param backlog the most connections that the kernel keeps until they are accepted; 1 or more
 * @param isDualStack whether a listener on {@code ::} takes IPv4 as well. Otherwise it closes such connections and counts
 *     them; the JDK cannot make the kernel refuse them, so 0.0.0.0 with the same port cannot be bound beside it
 * @param tcp options of accepted sockets
 * @param tls the certificates, or null for TCP without TLS
 */
public record ListenSettings(
        InetSocketAddress address,
        int backlog,
        boolean isDualStack,
        TcpSettings tcp,
        @Nullable TlsContext tls) {
    private static final int USUAL_BACKLOG = 1024;

    /** Checks address and backlog. */
    public ListenSettings {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("host name " + address.getHostString() + " is not resolved");
        }
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog is " + backlog + "; it must be 1 or more");
        }
    }

    /** TCP with a backlog of 1,024, one address family and the default options. */
    public static ListenSettings tcp(InetSocketAddress address) {
        return new ListenSettings(address, USUAL_BACKLOG, false, TcpSettings.DEFAULT, null);
    }

    /** As {@link #tcp}, with TLS. */
    public static ListenSettings tls(InetSocketAddress address, TlsContext tls) {
        return new ListenSettings(address, USUAL_BACKLOG, false, TcpSettings.DEFAULT, tls);
    }
}
