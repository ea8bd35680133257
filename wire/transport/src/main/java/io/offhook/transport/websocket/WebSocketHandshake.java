package io.offhook.transport.websocket;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The two sides of the handshake (RFC 6455, 4): what a server answers to a request, and what a client asks and expects. */
final class WebSocketHandshake {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int KEY_BYTES = 16;
    private static final String VERSION = "13";

    private WebSocketHandshake() {}

    /**
     * What a server answers.
     *
     * @param response the HTTP response, complete
     * @param isAccepted whether the connection is a WebSocket then; otherwise it is to be closed
     * @param path what was asked for
     * @param origin the page that asked; empty if there is none
     * @param reason why it is refused; empty if it is accepted
     */
    record Answer(String response, boolean isAccepted, String path, String origin, String reason) {
        byte[] octets() {
            return response.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    /** Answers a request; null stands for one that is malformed. */
    static Answer answer(@Nullable HttpHead request, WebSocketSettings settings) {
        if (request == null) {
            return refuse("400 Bad Request", "", "malformed HTTP");
        }
        String[] line = request.startLine().split(" ", -1);
        if (line.length != 3 || !line[0].equals("GET") || !line[1].startsWith("/") || !line[2].equals("HTTP/1.1")) {
            return refuse("400 Bad Request", "", "the request line is not GET /... HTTP/1.1");
        }
        if (request.single("host") == null || request.has("content-length") || request.has("transfer-encoding")) {
            return refuse("400 Bad Request", "", "no Host, or a body");
        }
        if (!request.lists("upgrade", "websocket", false) || !request.lists("connection", "upgrade", false)) {
            return refuse("426 Upgrade Required", "Upgrade: websocket\r\n", "no upgrade to websocket");
        }
        if (!VERSION.equals(request.single("sec-websocket-version"))) {
            return refuse("426 Upgrade Required", "Sec-WebSocket-Version: " + VERSION + "\r\n", "no version 13");
        }
        String key = request.single("sec-websocket-key");
        if (key == null || !isKey(key)) {
            return refuse("400 Bad Request", "", "no key");
        }
        String origin = Objects.requireNonNullElse(request.single("origin"), "");
        if (!isAllowed(request, origin, settings.origins())) {
            return refuse("403 Forbidden", "", "an origin that is not allowed");
        }
        if (!request.lists("sec-websocket-protocol", settings.subprotocol(), true)) {
            return refuse("400 Bad Request", "", "subprotocol " + settings.subprotocol() + " is not offered");
        }
        String response = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: " + accept(key) + "\r\nSec-WebSocket-Protocol: " + settings.subprotocol()
                + "\r\n\r\n";
        return new Answer(response, true, line[1], origin, "");
    }

    /** Two Origins are as bad as a wrong one. */
    private static boolean isAllowed(HttpHead request, String origin, List<String> allowed) {
        return allowed.isEmpty() || !request.has("origin") || allowed.contains(origin.toLowerCase(Locale.ROOT));
    }

    static Answer refuse(String status, String header, String reason) {
        String response = "HTTP/1.1 " + status + "\r\n" + header + "Connection: close\r\nContent-Length: 0\r\n\r\n";
        return new Answer(response, false, "", "", reason);
    }

    private static boolean isKey(String key) {
        try {
            return Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The key of a request, from random bytes. */
    static String key(byte[] random) {
        return Base64.getEncoder().encodeToString(random);
    }

    /** The proof that the server has read the key as WebSocket's (RFC 6455, 4.2.2). */
    static String accept(String key) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            return Base64.getEncoder().encodeToString(sha1.digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-1, which WebSocket needs", e);
        }
    }

    static byte[] request(String host, String path, String subprotocol, String key) {
        return ("GET " + path + " HTTP/1.1\r\nHost: " + host
                        + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + key
                        + "\r\nSec-WebSocket-Version: " + VERSION + "\r\nSec-WebSocket-Protocol: " + subprotocol
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Why a server's response is no agreement; null if it is one. */
    static @Nullable String fault(@Nullable HttpHead response, String key, String subprotocol) {
        if (response == null) {
            return "malformed HTTP";
        }
        if (!response.startLine().startsWith("HTTP/1.1 101 ")) {
            return response.startLine();
        }
        if (!response.lists("upgrade", "websocket", false)
                || !response.lists("connection", "upgrade", false)
                || !accept(key).equals(response.single("sec-websocket-accept"))
                || response.has("sec-websocket-extensions")
                || !subprotocol.equals(response.single("sec-websocket-protocol"))) {
            return "the response does not agree to WebSocket with subprotocol " + subprotocol;
        }
        return null;
    }
}
