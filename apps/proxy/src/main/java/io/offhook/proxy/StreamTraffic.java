package io.offhook.proxy;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.config.ListenerConfig;
import io.offhook.proxy.lane.LaneServices;
import io.offhook.proxy.lane.ProxyLanes;
import io.offhook.proxy.lane.StreamOutput;
import io.offhook.proxy.limit.LimitConfig;
import io.offhook.proxy.stream.SipConnections;
import io.offhook.proxy.stream.SipInbound;
import io.offhook.proxy.stream.StreamFlow;
import io.offhook.proxy.stream.StreamListener;
import io.offhook.proxy.stream.StreamTarget;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipTransport;
import io.offhook.sip.stream.SipStreamLimits;
import io.offhook.transport.CloseCause;
import io.offhook.transport.ConnectionLimits;
import io.offhook.transport.ConnectionLoops;
import io.offhook.transport.ConnectionTimeouts;
import io.offhook.transport.Listener;
import io.offhook.transport.TlsContext;
import io.offhook.transport.TlsIdentity;
import io.offhook.transport.TlsTrust;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The connections of the proxy, between their loops and the lanes. */
final class StreamTraffic implements SipInbound, StreamOutput, AutoCloseable {
    /** What is asked about a message that could not be sent: only where it was to go. */
    private static final long TOKEN = 0;

    private final List<ListenerConfig> configs;
    private final ConnectionLoops loops;
    private final SipConnections connections;
    private final Map<ListenerConfig, Listener> listeners = new LinkedHashMap<>();
    /** Of the listeners with TLS, by their names. */
    private final Map<String, TlsContext> certificates = new LinkedHashMap<>();

    private final @Nullable TlsContext outgoing;
    private volatile LaneServices.SourceFilter isIgnored = (_, _) -> false;
    private volatile @Nullable ProxyLanes lanes;
    private volatile Consumer<SipHop> ended = _ -> {};

    /**
     * Opens the listeners of a configuration.
     *
     * @param configs all listeners; those with UDP are left out
     * @param threads the number of loops
     * @param limits how many connections there may be
     * @throws IOException if an address cannot be bound, or a certificate cannot be used
     */
    StreamTraffic(List<ListenerConfig> configs, int threads, LimitConfig.Connections limits) throws IOException {
        this.configs = configs;
        for (ListenerConfig config : configs) {
            ListenerConfig.@Nullable TlsFiles files = config.tls();
            if (files != null) {
                certificates.put(
                        config.name(), TlsContext.server(List.of(identity(files)), trust(files), clients(files)));
            }
        }
        ListenerConfig.@Nullable TlsFiles own = outgoing(configs);
        outgoing = own == null ? null : TlsContext.client(List.of(identity(own)), trust(own));
        loops = ConnectionLoops.start(
                "sip-streams",
                threads,
                ConnectionLimits.DEFAULT.withConnections(limits.inAll(), limits.perSource()),
                ConnectionTimeouts.DEFAULT);
        try {
            connections = new SipConnections(loops, this, SipStreamLimits.DEFAULT, outgoing);
            for (ListenerConfig config : configs) {
                if (config.transport() != SipTransport.UDP) {
                    listeners.put(config, connections.listen(listener(config)));
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            loops.close();
            throw e;
        }
    }

    private static TlsIdentity identity(ListenerConfig.TlsFiles files) throws IOException {
        return TlsIdentity.read(files.certificate().value(), files.key().value());
    }

    private static TlsTrust trust(ListenerConfig.TlsFiles files) throws IOException {
        return files.clientAuthorities() == null
                ? TlsTrust.system()
                : TlsTrust.read(files.clientAuthorities().value());
    }

    private static TlsContext.ClientCertificates clients(ListenerConfig.TlsFiles files) {
        return files.clientAuthorities() == null
                ? TlsContext.ClientCertificates.NONE
                : TlsContext.ClientCertificates.REQUIRED;
    }

    /** Connections that we begin show the first certificate that we have; null without any. */
    private static ListenerConfig.@Nullable TlsFiles outgoing(List<ListenerConfig> configs) {
        for (ListenerConfig config : configs) {
            if (config.tls() != null) {
                return config.tls();
            }
        }
        return null;
    }

    private StreamListener listener(ListenerConfig config) {
        return new StreamListener(
                config.name(),
                config.transport(),
                new InetSocketAddress(config.address().toInetAddress(), config.port()),
                config.receiveBytes(),
                certificates.get(config.name()),
                List.of());
    }

    /** The port that a listener has. */
    int port(ListenerConfig config) {
        Listener listener = listeners.get(config);
        return listener == null ? config.port() : listener.port();
    }

    /** Sets who is notified of ends of connections, by the hop that messages over them came from. */
    void reportEndsTo(Consumer<SipHop> listener) {
        ended = listener;
    }

    /** Whether the connection of a number is open. */
    boolean isOpen(long connection) {
        return connections.find(connection) != null;
    }

    /** Sets where messages go from now on, and which peers are not listened to; messages before are lost. */
    void deliverTo(ProxyLanes to, LaneServices.SourceFilter ignored) {
        isIgnored = ignored;
        lanes = to;
    }

    @Override
    public void opened(StreamFlow flow) {
        Endpoint remote = flow.remote();
        if (!flow.isOutgoing() && isIgnored.test(remote.high(), remote.low())) {
            flow.close();
        }
    }

    @Override
    public void message(byte[] octets, int offset, int length, StreamFlow flow) {
        ProxyLanes to = lanes;
        if (to != null && !to.receive(octets, offset, length, hop(flow))) {
            // what waits is more than the lanes can do: the peer has to slow down, or come back
            flow.close();
        }
    }

    @Override
    public void unsent(StreamFlow flow, long token) {
        ProxyLanes to = lanes;
        if (to != null) {
            to.transportFailed(hop(flow));
        }
    }

    @Override
    public void closed(StreamFlow flow, CloseCause cause, @Nullable String detail) {
        // requests that wait go on: a response may still come over another connection (RFC 3261, 18.2.2)
        ended.accept(hop(flow));
    }

    private SipHop hop(StreamFlow flow) {
        Endpoint remote = flow.remote();
        return new SipHop()
                .set(flow.transport(), listenerOf(flow), remote.high(), remote.low(), remote.port())
                .connection(flow.id());
    }

    private int listenerOf(StreamFlow flow) {
        int sameTransport = -1;
        for (int i = 0; i < configs.size(); i++) {
            ListenerConfig config = configs.get(i);
            if (config.name().equals(flow.listener())) {
                return i;
            }
            if (sameTransport < 0 && config.transport() == flow.transport()) {
                sameTransport = i;
            }
        }
        return Math.max(sameTransport, 0);
    }

    @Override
    public boolean send(SipHop to, byte[] octets, int offset, int length) {
        if (to.connection() != 0) {
            StreamFlow flow = connections.find(to.connection());
            return flow != null && flow.send(octets, offset, length, TOKEN);
        }
        Endpoint remote = new Endpoint(to.high(), to.low(), to.port());
        StreamTarget target = new StreamTarget(to.transport(), remote, to.name());
        return connections.send(target, octets, offset, length, TOKEN) != null;
    }

    /**
     * Reads the certificates of another configuration; connections that are open keep theirs.
     *
     * @param after the same listeners, perhaps with other files
     * @return puts them to use, and cannot fail
     * @throws IOException if one cannot be used
     */
    Runnable readCertificates(List<ListenerConfig> after) throws IOException {
        List<Runnable> replacements = new ArrayList<>();
        for (ListenerConfig config : after) {
            ListenerConfig.@Nullable TlsFiles files = config.tls();
            TlsContext context = certificates.get(config.name());
            if (files != null && context != null) {
                replacements.add(context.prepare(List.of(identity(files)), trust(files)));
            }
        }
        ListenerConfig.@Nullable TlsFiles own = outgoing(after);
        if (own != null && outgoing != null) {
            replacements.add(outgoing.prepare(List.of(identity(own)), trust(own)));
        }
        return () -> replacements.forEach(Runnable::run);
    }

    /** The connections, for their counters. */
    SipConnections connections() {
        return connections;
    }

    /** Accepts no further connections. That they end now says nothing about the phones, which will come back. */
    void stopListening() {
        ended = _ -> {};
        listeners.values().forEach(Listener::close);
    }

    /** Sends what waits, and closes all connections after it; at most for a time. */
    void drain(long mostNs) throws InterruptedException {
        boolean _ = loops.drain(mostNs);
    }

    @Override
    public void close() {
        loops.close();
    }
}
