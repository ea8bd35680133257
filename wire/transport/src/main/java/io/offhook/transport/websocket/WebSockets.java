package io.offhook.transport.websocket;

import io.offhook.transport.ConnectionHandler;

/** Makes handlers for connections that are to become WebSockets. */
public final class WebSockets {
    private WebSockets() {}

    /** For an accepted connection: waits for the client's handshake. */
    public static ConnectionHandler server(WebSocketSettings settings, WebSocketHandler handler) {
        return new WebSocketConnection(settings, null, handler);
    }

    /**
     * For an outgoing connection: asks for a WebSocket as soon as it is established.
     *
     * @param settings the subprotocol and the limits; origins are not used
     * @param host what the request names as Host: "example.com:8443"
     * @param path what it asks for, beginning with "/"
     */
    public static ConnectionHandler client(
            WebSocketSettings settings, String host, String path, WebSocketHandler handler) {
        if (!path.startsWith("/") || (host + path).chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw new IllegalArgumentException(
                    "host " + host + " and path " + path + " cannot be asked for; the path begins with /");
        }
        return new WebSocketConnection(settings, new WebSocketConnection.Target(host, path), handler);
    }
}
