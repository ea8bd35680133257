package io.offhook.transport;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where and how {@link ConnectionLoops#connect} connects.
 *
 * @param remote the peer's address and port
 * @param local the address to connect from, with port 0 for any; null leaves it to the kernel
 * @param tcp options of the socket
 * @param tls the trusted authorities, and the own certificate if the peer asks for one; null for TCP without TLS
 * @param serverName the name that TLS asks the peer for (SNI, RFC 6066, 3); null for none. Nothing is compared with it:
 *     {@link ConnectionHandler#acceptsPeer} judges the certificate
 */
public record ConnectSettings(
        InetSocketAddress remote,
        @Nullable InetSocketAddress local,
        TcpSettings tcp,
        @Nullable TlsContext tls,
        @Nullable String serverName) {
    /** Checks the addresses. */
    public ConnectSettings {
        if (remote.isUnresolved() || local != null && local.isUnresolved()) {
            throw new IllegalArgumentException("the host name of " + remote + " or " + local + " is not resolved");
        }
    }

    /** TCP from any address with the default options. */
    public static ConnectSettings tcp(InetSocketAddress remote) {
        return new ConnectSettings(remote, null, TcpSettings.DEFAULT, null, null);
    }

    /** As {@link #tcp}, with TLS. */
    public static ConnectSettings tls(InetSocketAddress remote, TlsContext tls, @Nullable String serverName) {
        return new ConnectSettings(remote, null, TcpSettings.DEFAULT, tls, serverName);
    }
}
