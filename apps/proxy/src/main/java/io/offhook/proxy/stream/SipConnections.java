package io.offhook.proxy.stream;

import io.offhook.sip.SipTransport;
import io.offhook.sip.stream.SipStreamFault;
import io.offhook.sip.stream.SipStreamLimits;
import io.offhook.transport.CloseCause;
import io.offhook.transport.ConnectSettings;
import io.offhook.transport.Connection;
import io.offhook.transport.ConnectionHandler;
import io.offhook.transport.ConnectionLoops;
import io.offhook.transport.ListenSettings;
import io.offhook.transport.Listener;
import io.offhook.transport.TcpSettings;
import io.offhook.transport.TlsContext;
import io.offhook.transport.websocket.WebSocketSettings;
import io.offhook.transport.websocket.WebSockets;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of the proxy. Messages arrive at its {@link SipInbound}; they are sent on a flow that is known, or to a
 * {@link StreamTarget}, over a flow that leads there or one that is begun. Thread-safe.
 *
 * <p>A flow is reused for a target if transport, address and port are those of its peer, in either direction (RFC 3261,
 * 18). With TLS, the peer's verified certificate must also speak for the target's name, unless nothing is verified at all.
 * An alias (RFC 5923) lets a peer be found by the port that it listens on.
 */
public final class SipConnections {
    private static final int BACKLOG = 1024;

    private final ConnectionLoops loops;
    private final SipInbound inbound;
    private final SipStreamLimits limits;
    private final @Nullable TlsContext outgoing;
    private final FlowTable flows = new FlowTable();
    private final long firstId = new SecureRandom().nextLong() >>> 2;
    private final Map<StreamCounter, LongAdder> counts = adders(StreamCounter.class);
    private final Map<SipStreamFault, LongAdder> faults = adders(SipStreamFault.class);

    /**
     * Creates the connections of the proxy; nothing is opened yet.
     *
     * @param loops the threads. What a connection may hold unread must have room for a message of the limits
     * @param inbound receives messages and ends
     * @param limits the longest message
     * @param outgoing trusted authorities, and the own certificate, for connections begun here; null for no TLS
     */
    public SipConnections(
            ConnectionLoops loops, SipInbound inbound, SipStreamLimits limits, @Nullable TlsContext outgoing) {
        this.loops = loops;
        this.inbound = inbound;
        this.limits = limits;
        this.outgoing = outgoing;
    }

    /** One for each, so that the map is only read afterwards. */
    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> kinds) {
        Map<E, LongAdder> adders = new EnumMap<>(kinds);
        for (E kind : kinds.getEnumConstants()) {
            adders.put(kind, new LongAdder());
        }
        return adders;
    }

    private static <E extends Enum<E>> LongAdder adder(Map<E, LongAdder> adders, E kind) {
        return Objects.requireNonNull(adders.get(kind));
    }

    /**
     * Accepts flows from now on.
     *
     * @return the socket, for its port, and to close it
     * @throws IOException if the address cannot be bound; the message has it
     */
    public Listener listen(StreamListener listener) throws IOException {
        TcpSettings tcp = new TcpSettings(true, false, listener.receiveBufferBytes(), 0);
        ListenSettings settings = new ListenSettings(listener.address(), BACKLOG, false, tcp, listener.tls());
        TlsContext tls = listener.tls();
        WebSocketSettings webSocket = webSocketSettings(listener);
        return loops.listen(settings, () -> {
            PeerCheck check = tls == null ? PeerCheck.ANYONE : new PeerCheck(tls.isVerifying(), "");
            StreamFlow flow = new StreamFlow(this, listener.transport(), listener.name(), "");
            return webSocket == null
                    ? new StreamConnection(this, flow, check)
                    : WebSockets.server(webSocket, new SocketConnection(this, flow, check));
        });
    }

    private @Nullable WebSocketSettings webSocketSettings(StreamListener listener) {
        if (!listener.isWebSocket()) {
            return null;
        }
        WebSocketSettings usual = WebSocketSettings.of("sip", listener.origins());
        return new WebSocketSettings(
                usual.subprotocol(),
                usual.origins(),
                usual.handshakeBytes(),
                limits.headerBytes() + limits.bodyBytes(),
                usual.handshakeNs());
    }

    /** The open flow of a number, as a flow token names it (RFC 5626, 5.2); null if it has ended. */
    public @Nullable StreamFlow find(long id) {
        return flows.find(id);
    }

    /** An open flow that leads to a target; null if there is none. */
    public @Nullable StreamFlow find(StreamTarget target) {
        return flows.find(target.transport(), target.remote(), leadsTo(target));
    }

    private Predicate<StreamFlow> leadsTo(StreamTarget target) {
        TlsContext tls = outgoing;
        if (!target.transport().isSecure() || target.name().isEmpty() || tls == null || !tls.isVerifying()) {
            return _ -> true;
        }
        return flow -> flow.leadsTo(target.name());
    }

    /**
     * Sends a message to a target, over a flow that leads there, otherwise over one that is begun and takes messages while
     * it is being established.
     *
     * @param token for {@link SipInbound#unsent}; 0 or more, or {@link StreamFlow#NO_TOKEN}
     * @return the flow that took it; null if none did, and then nothing is reported as unsent: a queue is full, no socket is
     *     left, only the peer can begin flows of this transport, or the peer refused the connection at once
     */
    public @Nullable StreamFlow send(StreamTarget target, byte[] octets, int offset, int length, long token) {
        while (true) {
            boolean[] isBegun = new boolean[1];
            StreamFlow flow = flows.findOrBegin(target.transport(), target.remote(), leadsTo(target), () -> {
                isBegun[0] = true;
                return begin(target);
            });
            if (flow == null) {
                add(StreamCounter.REFUSED);
                return null;
            }
            if (flow.send(octets, offset, length, token)) {
                if (!isBegun[0]) {
                    add(StreamCounter.REUSED);
                }
                return flow;
            }
            if (isBegun[0] || flow.isOpen()) {
                return null;
            }
            // it ended between being found and being used; a closed one is not found again
        }
    }

    private @Nullable StreamFlow begin(StreamTarget target) {
        TlsContext tls = target.transport() == SipTransport.TLS ? outgoing : null;
        if (target.transport() != SipTransport.TCP && tls == null) {
            return null;
        }
        StreamFlow flow = new StreamFlow(this, target.transport(), "", target.name());
        PeerCheck check = tls == null ? PeerCheck.ANYONE : new PeerCheck(tls.isVerifying(), target.name());
        ConnectSettings settings = new ConnectSettings(
                target.remote().toInetSocketAddress(),
                null,
                TcpSettings.DEFAULT,
                tls,
                tls == null || target.name().isEmpty() ? null : target.name());
        ConnectionHandler handler = new StreamConnection(this, flow, check);
        try {
            Connection connection = loops.connect(settings, handler);
            flow.on(connection);
            add(StreamCounter.BEGUN);
            return flow;
        } catch (IOException | RejectedExecutionException e) {
            return null;
        }
    }

    /**
     * Lets a flow be found by another port of its peer, as the {@code alias} parameter of its Via asks for (RFC 5923, 5).
     * Only where a verified certificate says who the peer is: otherwise anyone could draw requests to himself.
     *
     * @param port the port of Via's sent-by, 1 to 65535
     * @return whether it is found by it
     */
    public boolean alias(StreamFlow flow, int port) {
        if (flow.transport() != SipTransport.TLS || flow.certifiedNames().isEmpty() || !flow.isOpen()) {
            add(StreamCounter.ALIASES_REFUSED);
            return false;
        }
        flows.addAlias(flow, port);
        add(StreamCounter.ALIASES);
        return true;
    }

    /** The number of flows that are open or being established. */
    public int openFlows() {
        return flows.size();
    }

    /** What was counted since the start. */
    public long count(StreamCounter counter) {
        return adder(counts, counter).sum();
    }

    /** The streams that ended with a fault since the start. */
    public long count(SipStreamFault fault) {
        return adder(faults, fault).sum();
    }

    // ---- for flows

    long firstId() {
        return firstId;
    }

    SipStreamLimits limits() {
        return limits;
    }

    void add(StreamCounter counter) {
        adder(counts, counter).increment();
    }

    void opened(StreamFlow flow) {
        if (!flow.isOutgoing()) {
            add(StreamCounter.ACCEPTED);
            flows.add(flow);
        }
        inbound.opened(flow);
    }

    void message(byte[] octets, int offset, int length, StreamFlow flow) {
        add(StreamCounter.RECEIVED);
        inbound.message(octets, offset, length, flow);
    }

    void ping(StreamFlow flow) {
        add(StreamCounter.PINGS);
        flow.pong();
    }

    void pong(StreamFlow flow) {
        add(StreamCounter.PONGS);
        inbound.pong(flow);
    }

    void fault(StreamFlow flow, SipStreamFault fault) {
        adder(faults, fault).increment();
        inbound.fault(flow, fault);
    }

    void closed(StreamFlow flow, CloseCause cause, @Nullable String detail) {
        flows.remove(flow);
        for (long token : flow.unsent()) {
            add(StreamCounter.UNSENT);
            inbound.unsent(flow, token);
        }
        inbound.closed(flow, cause, detail);
    }
}
