package io.offhook.proxy.stream;

import io.offhook.sip.SipTransport;
import io.offhook.transport.TlsContext;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link SipConnections} accepts flows.
 *
 * @param name the name in the configuration
 * @param transport TCP, TLS, WS or WSS
 * @param address the address and port to bind; port 0 for any free one
 * @param receiveBufferBytes the receive buffer to ask for; 0 leaves it to the kernel
 * @param tls the certificates, for TLS and WSS; null for the others. To read them again, {@link TlsContext#replace}
 * @param origins the pages whose scripts may connect by WebSocket; empty for any
 */
public record StreamListener(
        String name,
        SipTransport transport,
        InetSocketAddress address,
        int receiveBufferBytes,
        @Nullable TlsContext tls,
        List<String> origins) {
    /** Checks that there are certificates exactly where they are needed. */
    public StreamListener {
        if (transport == SipTransport.UDP || transport == SipTransport.SCTP) {
            throw new IllegalArgumentException("listener " + name + ": " + transport + " has no connections");
        }
        if (transport.isSecure() != (tls != null)) {
            throw new IllegalArgumentException("listener " + name + ": " + transport
                    + (tls == null ? " needs certificates" : " has no certificates"));
        }
        origins = List.copyOf(origins);
    }

    boolean isWebSocket() {
        return transport == SipTransport.WS || transport == SipTransport.WSS;
    }
}
