package io.offhook.proxy.stream;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import io.offhook.transport.Connection;
import io.offhook.transport.websocket.WebSocket;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A connection that carries SIP: the flow of RFC 5626. All methods may be called by any thread, and return at once.
 */
public final class StreamFlow {
    /** The token of messages whose fate nobody wants to know. */
    public static final long NO_TOKEN = -1;

    private static final byte[] PING = {'\r', '\n', '\r', '\n'};
    private static final byte[] PONG = {'\r', '\n'};

    private final SipConnections connections;
    private final SipTransport transport;
    private final String listener;
    private final String purpose;
    private final SentTokens tokens = new SentTokens();
    private volatile @Nullable Connection connection;
    private volatile @Nullable WebSocket socket;
    private volatile Set<String> names = Set.of();
    private final AtomicInteger alias = new AtomicInteger();

    /**
     * @param listener empty for a flow that is begun here
     * @param purpose the name that it is begun for; empty if it was accepted
     */
    StreamFlow(SipConnections connections, SipTransport transport, String listener, String purpose) {
        this.purpose = CertifiedNames.normal(purpose);
        this.connections = connections;
        this.transport = transport;
        this.listener = listener;
    }

    void on(Connection connection) {
        this.connection = connection;
    }

    void on(WebSocket socket) {
        this.socket = socket;
        this.connection = socket.connection();
    }

    void prove(Set<String> proven) {
        names = proven;
    }

    /** Whether it leads to a name: it is certified for it, or was begun for it and will be closed if it is not. */
    boolean leadsTo(String name) {
        String wanted = CertifiedNames.normal(name);
        return wanted.equals(purpose) || names.contains(wanted);
    }

    /** The other port of its peer that it is found by; 0 if there is none. */
    int alias() {
        return alias.get();
    }

    /** Sets the other port and returns the one before. */
    int alias(int port) {
        return alias.getAndSet(port);
    }

    Connection connection() {
        Connection known = connection;
        if (known == null) {
            throw new IllegalStateException("internal error (a bug in Offhook): a flow without connection");
        }
        return known;
    }

    /**
     * A number, 1 or more, that no other flow of this process has had or will have: {@link SipConnections#find(long)}. One of
     * another process has it with a chance of nearly nothing, so that a token that was kept does not lead to a stranger.
     */
    public long id() {
        return connections.firstId() + connection().id();
    }

    /** TCP, TLS, WS or WSS. */
    public SipTransport transport() {
        return transport;
    }

    /** The name of the listener that accepted it; empty if it was begun here. */
    public String listener() {
        return listener;
    }

    /** The peer's address and port. */
    public Endpoint remote() {
        return connection().remote();
    }

    /** The own address and port; unspecified until a flow that was begun here is established. */
    public Endpoint local() {
        return connection().local();
    }

    /** Whether it was begun here. */
    public boolean isOutgoing() {
        return connection().isOutgoing();
    }

    /** Whether it can be sent on, as far as is known. */
    public boolean isOpen() {
        return connection().isOpen();
    }

    /**
     * The domains, in lower case, that the peer's verified certificate speaks for (RFC 5922, 7.1); empty without one.
     */
    public Set<String> certifiedNames() {
        return names;
    }

    /** The page for which a browser connected; empty without WebSocket. */
    public String origin() {
        WebSocket known = socket;
        return known == null ? "" : known.origin();
    }

    /** Bytes that wait to be sent. */
    public int queuedBytes() {
        return connection().queuedBytes();
    }

    /** As the other, with {@link #NO_TOKEN}. */
    public boolean send(byte[] octets, int offset, int length) {
        return send(octets, offset, length, NO_TOKEN);
    }

    /**
     * Queues a message; the bytes are copied.
     *
     * @param token passed to {@link SipInbound#unsent} if the flow ends before the message has left; 0 or more, or
     *     {@link #NO_TOKEN}
     * @return false if it was refused, because the queue is full or the flow is closed; then the token is not used
     */
    public boolean send(byte[] octets, int offset, int length, long token) {
        Connection to = connection();
        WebSocket through = socket;
        boolean isTaken;
        // what is queued and where it ends must fit together
        synchronized (tokens) {
            isTaken = through == null ? to.send(octets, offset, length) : through.send(octets, offset, length);
            if (isTaken && token != NO_TOKEN) {
                tokens.forgetSent(to.sentBytes());
                tokens.add(token, to.takenBytes());
            }
        }
        connections.add(isTaken ? StreamCounter.SENT : StreamCounter.REFUSED);
        return isTaken;
    }

    /** Sends a keep-alive: two CRLFs, or a WebSocket ping; the answer is {@link SipInbound#pong}. */
    public boolean ping() {
        WebSocket through = socket;
        return through == null ? connection().send(PING) : through.ping();
    }

    /** Answers a keep-alive. */
    void pong() {
        WebSocket through = socket;
        if (through == null) {
            connection().send(PONG);
        } else {
            through.send(PONG, 0, PONG.length);
        }
    }

    /** Closes it once everything queued is sent. */
    public void closeAfterSending() {
        WebSocket through = socket;
        if (through == null) {
            connection().closeAfterSending();
        } else {
            through.close(WebSocket.NORMAL);
        }
    }

    /** Closes it at once; what is queued is reported as unsent. */
    public void close() {
        connection().close();
    }

    void forgetSent() {
        synchronized (tokens) {
            tokens.forgetSent(connection().sentBytes());
        }
    }

    /** The tokens of the messages that have not left. */
    long[] unsent() {
        synchronized (tokens) {
            tokens.forgetSent(connection().sentBytes());
            return tokens.takeAll();
        }
    }

    @Override
    public String toString() {
        Connection known = connection;
        return transport + " flow on " + (known == null ? "no connection yet" : known);
    }
}
