package io.offhook.transport.websocket;

import java.util.List;
import java.util.Locale;

/**
 * What a server asks of WebSocket clients.
 *
 * @param subprotocol the one that both speak ("sip", RFC 7118, 4.1); a client that does not offer it is refused with 400
 * @param origins the pages that may connect, as browsers name them ("https://example.com"); another is refused with 403.
 *     Empty for any. A client that is no browser names none, and is not refused for it
 * @param handshakeBytes the most bytes of the HTTP request; 256 to 64 KiB
 * @param messageBytes the most bytes of a message; what a connection may hold unread must be larger
 * @param handshakeNs nanoseconds without a byte during the handshake; at least 1
 */
public record WebSocketSettings(
        String subprotocol, List<String> origins, int handshakeBytes, int messageBytes, long handshakeNs) {
    private static final int USUAL_HANDSHAKE_BYTES = 8 << 10;
    private static final int USUAL_MESSAGE_BYTES = 80 << 10;
    private static final long USUAL_HANDSHAKE_NS = 10_000_000_000L;

    /** Checks the limits and writes the origins in lower case, as browsers do. */
    public WebSocketSettings {
        origins =
                origins.stream().map(origin -> origin.toLowerCase(Locale.ROOT)).toList();
        if (handshakeBytes < 256 || handshakeBytes > 64 << 10) {
            throw new IllegalArgumentException(
                    "handshakeBytes is " + handshakeBytes + "; the limits are 256 and " + (64 << 10));
        }
        if (messageBytes < 1 || handshakeNs < 1) {
            throw new IllegalArgumentException(
                    "messageBytes is " + messageBytes + " and handshakeNs " + handshakeNs + "; both must be 1 or more");
        }
    }

    /** For a subprotocol and pages: 8 KiB of request, 80 KiB of message, 10 s. */
    public static WebSocketSettings of(String subprotocol, List<String> origins) {
        return new WebSocketSettings(
                subprotocol, origins, USUAL_HANDSHAKE_BYTES, USUAL_MESSAGE_BYTES, USUAL_HANDSHAKE_NS);
    }
}
