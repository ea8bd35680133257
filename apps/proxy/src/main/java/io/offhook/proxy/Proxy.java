package io.offhook.proxy;

import io.offhook.proxy.config.ListenerConfig;
import io.offhook.proxy.config.SipConfig;
import io.offhook.proxy.dns.DestinationResolver;
import io.offhook.proxy.dns.TargetPolicy;
import io.offhook.proxy.lane.LaneServices;
import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.lane.ProxyLanes;
import io.offhook.proxy.lane.ResolvedHops;
import io.offhook.proxy.limit.BanTable;
import io.offhook.proxy.limit.Rates;
import io.offhook.proxy.limit.RequestLimits;
import io.offhook.proxy.location.LocationStore;
import io.offhook.proxy.location.MemoryLocationStore;
import io.offhook.proxy.location.PostgresConfig;
import io.offhook.proxy.location.PostgresLocationStore;
import io.offhook.proxy.location.Registrar;
import io.offhook.proxy.policy.Authentication;
import io.offhook.proxy.policy.LanePolicy;
import io.offhook.proxy.policy.PolicyServices;
import io.offhook.proxy.routing.Routing;
import io.offhook.proxy.users.UserFile;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUri;
import io.offhook.sip.digest.DigestVerifier;
import io.offhook.sip.proxy.ProxySettings;
import io.offhook.sip.proxy.ProxySetup;
import io.offhook.sip.registrar.Gruus;
import io.offhook.sip.transaction.TransactionLimits;
import io.offhook.sip.transaction.TransactionSettings;
import io.offhook.sip.transaction.TransactionTimers;
import io.offhook.transport.DatagramLane;
import io.offhook.transport.DatagramOptions;
import io.offhook.transport.DatagramSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A SIP proxy and registrar at work. Start it with {@link #open}; {@link #close} ends it. */
public final class Proxy implements AutoCloseable {
    private static final long MS = 1_000_000;
    /** The MTU of most networks less what IP and others need (RFC 3261, 18.1.1). */
    private static final int TCP_ABOVE = 1300;

    private final ProxyConfig config;
    private final ListenerSet listeners;
    private final Routing routing;
    private final LocationStore location;
    private final @Nullable UserFile users;
    private final DestinationResolver resolver;
    private final StreamTraffic streams;
    private final ProxyLanes lanes;
    private final List<InetSocketAddress> addresses;

    private Proxy(
            ProxyConfig config, DatagramSockets sockets, StreamTraffic streams, Consumer<Throwable> failures)
            throws IOException {
        this.config = config;
        this.streams = streams;
        addresses = addresses(config.listeners(), sockets.lanes().getFirst(), streams);
        listeners = new ListenerSet(
                config.listeners(),
                addresses.stream().mapToInt(InetSocketAddress::getPort).toArray());
        SecureRandom random = new SecureRandom();
        InstantSource clock = InstantSource.system();
        routing = new Routing(config.routing(), listeners.endpoints());
        PostgresConfig postgres = config.location().postgres();
        location = postgres == null
                ? MemoryLocationStore.open(config.location(), clock)
                : PostgresLocationStore.open(postgres, config.location().mostWaiting(), clock);
        resolver = new DestinationResolver(config.dns(), clock, random::nextLong);
        Path userFile = config.users().users();
        users = userFile == null ? null : UserFile.open(userFile);
        DigestVerifier verifier =
                users == null ? null : new DigestVerifier(config.users().settings(), users, config.users().secret("nonce"));
        boolean hasRegistrar = !config.routing().domains().isEmpty() && (config.isOpen() || verifier != null);
        PolicyServices services = new PolicyServices(
                routing,
                new RequestLimits(config.limits(), random.nextLong()),
                !config.limits().source().equals(Rates.UNLIMITED),
                new BanTable(config.ban(), routing.trunks().sources(), random.nextLong()),
                hasRegistrar
                        ? new Registrar(
                                config.registrar(),
                                location,
                                domain -> routing.domains().contains(SipUri.parse("sip:" + domain)),
                                verifier,
                                new Gruus(config.users().secret("gruu")))
                        : null,
                verifier == null ? null : new Authentication(verifier),
                listeners.names(),
                clock);
        TargetPolicy targets = new TargetPolicy(false, listeners.transports());
        long secret = random.nextLong();
        lanes = new ProxyLanes(
                sockets,
                () -> setup(config.sip(), listeners, secret),
                new LaneServices(
                        lane -> policy(lane, services),
                        lane -> new ResolvedHops(lane, resolver, targets),
                        streams,
                        failures));
        streams.deliverTo(lanes);
    }

    private LanePolicy policy(ProxyLane lane, PolicyServices services) {
        return new LanePolicy(lane, services, listeners.identity());
    }

    private static ProxySetup setup(SipConfig sip, ListenerSet listeners, long secret) {
        SipConfig.Timers timers = sip.timers();
        ProxySettings settings = new ProxySettings(
                sip.recordsRoute(),
                sip.forking().recurses(),
                sip.forking().branches(),
                timers.cMs() * MS,
                sip.maxForwards(),
                TCP_ABOVE,
                Set.of(),
                secret);
        TransactionTimers times = new TransactionTimers(
                timers.t1Ms() * MS,
                timers.t2Ms() * MS,
                timers.t4Ms() * MS,
                TransactionTimers.DEFAULT.trying());
        return new ProxySetup(
                listeners.identity(), settings, new TransactionSettings(times, TransactionLimits.DEFAULT, secret));
    }

    /**
     * Opens the listeners and starts the lanes.
     *
     * @param failures is told of exceptions that cost a message, which are bugs
     * @throws IOException if an address cannot be listened on, or a file cannot be used
     */
    public static Proxy open(ProxyConfig config, Consumer<Throwable> failures) throws IOException {
        int count = config.lanes() == 0 ? Runtime.getRuntime().availableProcessors() : config.lanes();
        DatagramSockets sockets = DatagramSockets.open(
                count, ListenerSet.datagrams(config.listeners()), DatagramOptions.standard());
        StreamTraffic streams = null;
        try {
            streams = new StreamTraffic(config.listeners(), count);
            return new Proxy(config, sockets, streams, failures);
        } catch (IOException | RuntimeException | Error e) {
            sockets.close();
            if (streams != null) {
                streams.close();
            }
            throw e;
        }
    }

    private static List<InetSocketAddress> addresses(
            List<ListenerConfig> configs, DatagramLane lane, StreamTraffic streams) {
        List<InetSocketAddress> found = new ArrayList<>();
        int socket = 0;
        for (ListenerConfig config : configs) {
            found.add(
                    config.transport() == SipTransport.UDP
                            ? lane.localAddress(socket++)
                            : new InetSocketAddress(config.address().toInetAddress(), streams.port(config)));
        }
        return List.copyOf(found);
    }

    /** The addresses of the listeners, in the order of the configuration, with the ports that were chosen. */
    public List<InetSocketAddress> addresses() {
        return addresses;
    }

    /** The configuration at work. */
    public ProxyConfig config() {
        return config;
    }

    /** The lanes. */
    public ProxyLanes lanes() {
        return lanes;
    }

    @Override
    public void close() {
        streams.stopListening();
        lanes.close();
        streams.close();
        resolver.close();
        routing.close();
        location.close();
    }
}
