package io.offhook.transport.websocket;

import io.offhook.transport.Connection;
import java.security.SecureRandom;

/** A WebSocket (RFC 6455) on a connection. Its methods may be called by any thread. */
public final class WebSocket {
    /** No reason but that it is done. */
    public static final int NORMAL = 1000;
    /** The server goes, or the page is left. */
    public static final int GOING_AWAY = 1001;
    /** The peer violated the protocol. */
    public static final int PROTOCOL_ERROR = 1002;
    /** The peer sent a kind of data that is not wanted. */
    public static final int UNSUPPORTED_DATA = 1003;
    /** It ended without a close frame; never sent. */
    public static final int ABNORMAL = 1006;
    /** Text that is not UTF-8. */
    public static final int INVALID_DATA = 1007;
    /** A message that does what is not allowed. */
    public static final int POLICY_VIOLATION = 1008;
    /** A message that is too long. */
    public static final int TOO_BIG = 1009;

    private static final int MOST_HEADER_BYTES = 14;
    private static final byte[] NOTHING = {};
    private static final SecureRandom MASKS = new SecureRandom();

    private final Connection connection;
    private final boolean isClient;
    private volatile int sentCode;
    private volatile String path = "";
    private volatile String origin = "";

    WebSocket(Connection connection, boolean isClient) {
        this.connection = connection;
        this.isClient = isClient;
    }

    /** The connection that it is on; bytes sent there directly would disturb it. */
    public Connection connection() {
        return connection;
    }

    /** What the request of the handshake asked for: "/sip?x=y". */
    public String path() {
        return path;
    }

    /** The page that a browser connected for: "https://example.com"; empty if none was named. */
    public String origin() {
        return origin;
    }

    void asked(String path, String origin) {
        this.path = path;
        this.origin = origin;
    }

    /**
     * Sends a message in one frame, queued as {@link Connection#send} does.
     *
     * @param isText whether it is text; then it must be UTF-8
     * @return false if it was refused; counted by cause
     */
    public boolean send(byte[] octets, int offset, int length, boolean isText) {
        return sentCode == 0 && frame(isText ? WebSocketFrame.TEXT : WebSocketFrame.BINARY, octets, offset, length);
    }

    /** As the other, as text if the message is UTF-8, which text must be, otherwise as binary. */
    public boolean send(byte[] octets, int offset, int length) {
        return send(octets, offset, length, Utf8.isValid(octets, offset, length));
    }

    /** Asks the peer for a sign of life: {@link WebSocketHandler#pong}. */
    public boolean ping() {
        return sentCode == 0 && frame(WebSocketFrame.PING, NOTHING, 0, 0);
    }

    /** Ends it in order: what is queued leaves, then a close frame with the code, 1000 to 4999. */
    public void close(int code) {
        if (code < NORMAL || code > 4999) {
            throw new IllegalArgumentException("code is " + code + "; the limits are 1000 and 4999");
        }
        synchronized (this) {
            if (sentCode == 0) {
                sentCode = code;
                frame(WebSocketFrame.CLOSE, new byte[] {(byte) (code >>> 8), (byte) code}, 0, 2);
            }
        }
        connection.closeAfterSending();
    }

    /** The code that this side closed it with; 0 if it has not. */
    int sentCode() {
        return sentCode;
    }

    void pong(byte[] octets, int offset, int length) {
        frame(WebSocketFrame.PONG, octets, offset, length);
    }

    private boolean frame(int opcode, byte[] octets, int offset, int length) {
        byte[] header = new byte[MOST_HEADER_BYTES];
        int headerLength = WebSocketFrame.writeHeader(header, opcode, length);
        if (!isClient) {
            return connection.send(header, headerLength, octets, offset, length);
        }
        int mask = MASKS.nextInt();
        header[1] |= (byte) 0x80;
        for (int i = 0; i < 4; i++) {
            header[headerLength + i] = (byte) (mask >>> 24 - 8 * i);
        }
        byte[] masked = new byte[length];
        System.arraycopy(octets, offset, masked, 0, length);
        WebSocketFrame.unmask(masked, 0, length, mask);
        return connection.send(header, headerLength + 4, masked, 0, length);
    }

    @Override
    public String toString() {
        return "WebSocket on " + connection;
    }
}
