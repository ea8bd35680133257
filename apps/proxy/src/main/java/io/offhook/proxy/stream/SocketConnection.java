package io.offhook.proxy.stream;

import io.offhook.transport.CloseCause;
import io.offhook.transport.Connection;
import io.offhook.transport.websocket.WebSocket;
import io.offhook.transport.websocket.WebSocketHandler;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SIP on a WebSocket (RFC 7118): each message is one of SIP, or a keep-alive. */
final class SocketConnection implements WebSocketHandler {
    private final SipConnections connections;
    private final StreamFlow flow;
    private final PeerCheck peerCheck;

    SocketConnection(SipConnections connections, StreamFlow flow, PeerCheck peerCheck) {
        this.connections = connections;
        this.flow = flow;
        this.peerCheck = peerCheck;
    }

    @Override
    public boolean acceptsPeer(Connection connection, List<X509Certificate> chain) {
        flow.prove(peerCheck.names(chain));
        return peerCheck.accepts(flow.certifiedNames());
    }

    @Override
    public void opened(WebSocket socket) {
        flow.on(socket);
        connections.opened(flow);
    }

    @Override
    public void message(WebSocket socket, byte[] octets, int offset, int length, boolean isText) {
        int lineEnds = 0;
        while (lineEnds < length && (octets[offset + lineEnds] == '\r' || octets[offset + lineEnds] == '\n')) {
            lineEnds++;
        }
        if (lineEnds < length) {
            connections.message(octets, offset + lineEnds, length - lineEnds, flow);
        } else if (length == 4) {
            connections.ping(flow);
        } else {
            connections.pong(flow);
        }
    }

    @Override
    public void pong(WebSocket socket) {
        connections.pong(flow);
    }

    @Override
    public void drained(WebSocket socket) {
        flow.forgetSent();
    }

    @Override
    public void closed(WebSocket socket, CloseCause cause, int code, @Nullable String detail) {
        flow.on(socket);
        connections.closed(flow, cause, detail);
    }
}
