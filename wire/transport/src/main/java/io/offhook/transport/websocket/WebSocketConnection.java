package io.offhook.transport.websocket;

import io.offhook.transport.CloseCause;
import io.offhook.transport.Connection;
import io.offhook.transport.ConnectionHandler;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection that becomes a WebSocket: first the handshake, then messages. */
final class WebSocketConnection implements ConnectionHandler, WebSocketMessages.Receiver {
    /** What a client asks for. */
    record Target(String host, String path) {}

    private final WebSocketSettings settings;
    private final @Nullable Target target;
    private final WebSocketHandler handler;
    private final WebSocketMessages messages;
    private String key = "";
    private @Nullable WebSocket socket;
    private long idleNs;
    /** The bytes of an incomplete handshake that have been looked at. */
    private int searched;

    private boolean isUpgraded;
    private boolean isEnding;
    private int receivedCode;
    private @Nullable String detail;

    /** @param target null for a server */
    WebSocketConnection(WebSocketSettings settings, @Nullable Target target, WebSocketHandler handler) {
        this.settings = settings;
        this.target = target;
        this.handler = handler;
        messages = new WebSocketMessages(target == null, settings.messageBytes(), this);
    }

    private WebSocket socketOf(Connection connection) {
        WebSocket known = socket;
        if (known == null) {
            known = new WebSocket(connection, target != null);
            socket = known;
        }
        return known;
    }

    private WebSocket socket() {
        WebSocket known = socket;
        if (known == null) {
            throw new IllegalStateException("internal error (a bug in Offhook): a message before the handshake");
        }
        return known;
    }

    @Override
    public boolean acceptsPeer(Connection connection, List<X509Certificate> chain) {
        return handler.acceptsPeer(connection, chain);
    }

    @Override
    public void opened(Connection connection) {
        idleNs = connection.idleNs();
        connection.idleNs(Math.min(idleNs, settings.handshakeNs()));
        Target asked = target;
        if (asked != null) {
            byte[] random = new byte[16];
            new SecureRandom().nextBytes(random);
            key = WebSocketHandshake.key(random);
            connection.send(WebSocketHandshake.request(asked.host(), asked.path(), settings.subprotocol(), key));
        }
    }

    @Override
    public int received(Connection connection, byte[] octets, int offset, int length) {
        int consumed = 0;
        if (!isUpgraded) {
            consumed = HttpHead.length(octets, offset, length, searched);
            if (consumed < 0 ? length >= settings.handshakeBytes() : consumed > settings.handshakeBytes()) {
                refuse(connection, "a handshake of more than " + settings.handshakeBytes() + " bytes");
                return length;
            }
            if (consumed < 0) {
                searched = length;
                return 0;
            }
            shakeHands(connection, HttpHead.parse(octets, offset, consumed));
        }
        return consumed + messages.received(octets, offset + consumed, length - consumed);
    }

    private void refuse(Connection connection, String reason) {
        end(reason);
        if (target == null) {
            connection.send(
                    WebSocketHandshake.refuse("400 Bad Request", "", reason).octets());
        }
        connection.closeAfterSending();
    }

    private void shakeHands(Connection connection, @Nullable HttpHead head) {
        WebSocket made = socketOf(connection);
        if (target == null) {
            WebSocketHandshake.Answer answer = WebSocketHandshake.answer(head, settings);
            connection.send(answer.octets());
            if (!answer.isAccepted()) {
                end(answer.reason());
                connection.closeAfterSending();
                return;
            }
            made.asked(answer.path(), answer.origin());
        } else {
            String fault = WebSocketHandshake.fault(head, key, settings.subprotocol());
            if (fault != null) {
                end(fault);
                connection.closeAfterSending();
                return;
            }
        }
        isUpgraded = true;
        connection.idleNs(idleNs);
        handler.opened(made);
    }

    private void end(String reason) {
        isEnding = true;
        detail = reason;
    }

    // ---- messages

    @Override
    public boolean isReading() {
        return !isEnding;
    }

    @Override
    public void message(byte[] octets, int offset, int length, boolean isText) {
        handler.message(socket(), octets, offset, length, isText);
    }

    @Override
    public void control(int opcode, byte[] octets, int offset, int length) {
        switch (opcode) {
            case WebSocketFrame.PING -> socket().pong(octets, offset, length);
            case WebSocketFrame.PONG -> handler.pong(socket());
            default -> closeReceived(octets, offset, length);
        }
    }

    private void closeReceived(byte[] octets, int offset, int length) {
        int code = length < 2 ? 0 : (octets[offset] & 0xff) << 8 | octets[offset + 1] & 0xff;
        boolean isValid = length == 0 || length >= 2 && mayBeSent(code) && Utf8.isValid(octets, offset + 2, length - 2);
        if (!isValid) {
            fault(WebSocket.PROTOCOL_ERROR, "a close frame that violates RFC 6455");
            return;
        }
        receivedCode = code;
        end("closed by the peer");
        socket().close(code == 0 ? WebSocket.NORMAL : code);
    }

    /** RFC 6455, 7.4. */
    private static boolean mayBeSent(int code) {
        return code >= 1000 && code <= 1003 || code >= 1007 && code <= 1014 || code >= 3000 && code <= 4999;
    }

    @Override
    public void fault(int code, String reason) {
        end(reason);
        socket().close(code);
    }

    // ---- ends

    @Override
    public void peerFinished(Connection connection) {
        connection.closeAfterSending();
    }

    @Override
    public void draining(Connection connection) {
        if (isUpgraded) {
            socket().close(WebSocket.GOING_AWAY);
        } else {
            connection.closeAfterSending();
        }
    }

    @Override
    public void writable(Connection connection) {
        if (isUpgraded) {
            handler.writable(socket());
        }
    }

    @Override
    public void drained(Connection connection) {
        if (isUpgraded) {
            handler.drained(socket());
        }
    }

    @Override
    public void closed(Connection connection, CloseCause cause, @Nullable String reason) {
        WebSocket ended = socketOf(connection);
        int code = receivedCode != 0 ? receivedCode : ended.sentCode() != 0 ? ended.sentCode() : WebSocket.ABNORMAL;
        handler.closed(ended, cause, code, detail == null ? reason : detail);
    }
}
