package io.offhook.proxy;

import io.offhook.config.ConfigDifference;
import io.offhook.config.ConfigException;
import io.offhook.config.ConfigFault;
import io.offhook.proxy.book.CallBook;
import io.offhook.proxy.book.HopDelays;
import io.offhook.proxy.book.TrafficCounts;
import io.offhook.proxy.config.ListenerConfig;
import io.offhook.proxy.config.SipConfig;
import io.offhook.proxy.control.LiveState;
import io.offhook.proxy.dns.DestinationResolver;
import io.offhook.proxy.dns.TargetPolicy;
import io.offhook.proxy.health.GroupFigures;
import io.offhook.proxy.health.GroupWatch;
import io.offhook.proxy.lane.LaneServices;
import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.lane.ProxyLanes;
import io.offhook.proxy.lane.ResolvedHops;
import io.offhook.proxy.log.Log;
import io.offhook.proxy.log.LogCategory;
import io.offhook.proxy.policy.LanePolicy;
import io.offhook.proxy.policy.PolicyServices;
import io.offhook.proxy.routing.RouterException;
import io.offhook.proxy.statistics.ProxyStatistics;
import io.offhook.sip.SipTransport;
import io.offhook.sip.proxy.ProxySettings;
import io.offhook.sip.proxy.ProxySetup;
import io.offhook.sip.transaction.TransactionLimits;
import io.offhook.sip.transaction.TransactionSettings;
import io.offhook.sip.transaction.TransactionTimers;
import io.offhook.transport.DatagramLane;
import io.offhook.transport.DatagramOptions;
import io.offhook.transport.DatagramSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A SIP proxy and registrar at work. Start it with {@link #open}; {@link #close} ends it in order. */
public final class Proxy implements AutoCloseable {
    private static final long MS = 1_000_000;
    private static final long LOOK_NS = 20 * MS;
    /** The MTU of most networks less what IP and others need (RFC 3261, 18.1.1). */
    private static final int TCP_ABOVE = 1300;
    /** The most calls of a lane that are shown. */
    private static final int MOST_CALLS = 1 << 18;

    private final InstantSource clock = InstantSource.system();
    private final ListenerSet listeners;
    private final SharedServices services;
    private final DestinationResolver resolver;
    private final StreamTraffic streams;
    private final ProxyStatistics statistics;
    private final List<LanePolicy> policies = new ArrayList<>();
    private final List<CallBook> books = new ArrayList<>();
    private final ProxyLanes lanes;
    private final Observation observation;
    private final List<InetSocketAddress> addresses;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile ProxyConfig config;

    private Proxy(ProxyConfig config, DatagramSockets sockets, StreamTraffic streams, ProxyEnvironment environment)
            throws IOException {
        this.config = config;
        this.streams = streams;
        addresses = addresses(config.listeners(), sockets.lanes().getFirst(), streams);
        listeners = new ListenerSet(
                config.listeners(),
                addresses.stream().mapToInt(InetSocketAddress::getPort).toArray());
        SecureRandom random = new SecureRandom();
        int count = sockets.lanes().size();
        statistics = new ProxyStatistics(count, config.operation().statistics().neighbours(), clock);
        observation =
                new Observation(config.operation(), environment, statistics, listeners.locals(), MOST_CALLS, clock);
        services = services(config, listeners, clock, streams, observation);
        observation.watch(services.media());
        resolver = new DestinationResolver(config.network().dns(), clock, random::nextLong);
        for (int i = 0; i < count; i++) {
            books.add(new CallBook(i, MOST_CALLS, statistics.lane(i), observation.callRecords(), clock));
        }
        long secret = random.nextLong();
        lanes = new ProxyLanes(
                sockets,
                lane -> setup(config.sip(), secret, lane),
                new LaneServices(
                        this::policy,
                        this::hops,
                        streams,
                        (high, low) -> services.bans().isBanned(high, low, false, clock.millis()),
                        environment.failures(),
                        statistics::lane,
                        config.overload()));
        streams.reportEndsTo(services::flowEnded);
        streams.deliverTo(lanes, (high, low) -> services.bans().isBanned(high, low, true, clock.millis()));
    }

    private static SharedServices services(
            ProxyConfig config,
            ListenerSet listeners,
            InstantSource clock,
            StreamTraffic streams,
            Observation observation)
            throws IOException {
        try {
            return SharedServices.open(config, listeners, clock, streams::isOpen);
        } catch (IOException | RuntimeException | Error e) {
            observation.close();
            throw e;
        }
    }

    private void observe(ProxyEnvironment environment) throws IOException {
        LiveState live = new LiveProxy(
                lanes.lanes(),
                books,
                observation.messages(),
                services.location(),
                services.bans(),
                clock,
                () -> reload(environment),
                environment.stop());
        statistics.addCauses(() -> CountedCauses.ofLanes(lanes.lanes()));
        statistics.addCauses(() -> CountedCauses.ofBans(services.bans()));
        statistics.addCauses(() -> CountedCauses.ofConnections(streams.connections()));
        statistics.addCauses(() -> CountedCauses.ofNames(resolver));
        observation.start(live, lanes);
        watchGroups();
    }

    /** Each lane asks the members of its share of the groups, those of a reload too. */
    private void watchGroups() {
        statistics.groups(() -> GroupFigures.of(services.routing().groups(), clock.millis()));
        Log log = observation.log(LogCategory.ROUTING);
        int count = lanes.lanes().size();
        for (ProxyLane lane : lanes.lanes()) {
            GroupWatch watch =
                    new GroupWatch(lane.core(), services.routing()::groups, lane.number(), count, log, clock);
            lane.execute(watch::start);
        }
    }

    private LanePolicy policy(ProxyLane lane) {
        LanePolicy policy = new LanePolicy(lane, policyServices(), listeners.identity(), hops(lane));
        policies.add(policy);
        return policy;
    }

    private PolicyServices policyServices() {
        return services.forPolicies(resolver.numbers());
    }

    private ResolvedHops hops(ProxyLane lane) {
        return new ResolvedHops(lane, resolver, new TargetPolicy(false, listeners.transports()));
    }

    private ProxySetup setup(SipConfig sip, long secret, int lane) {
        SipConfig.Timers timers = sip.timers();
        ProxySettings settings = new ProxySettings(
                new ProxySettings.Presence(sip.recordsRoute(), config.routing().hidesTopology()),
                new ProxySettings.Forking(
                        sip.forking().recurses(), sip.forking().branches()),
                timers.cMs() * MS,
                sip.maxForwards(),
                TCP_ABOVE,
                Set.of(),
                new ProxySettings.Secrets(secret, services.routeKey()));
        TransactionTimers times = new TransactionTimers(
                timers.t1Ms() * MS, timers.t2Ms() * MS, timers.t4Ms() * MS, TransactionTimers.DEFAULT.trying());
        TransactionSettings transactions = new TransactionSettings(
                times,
                TransactionLimits.DEFAULT,
                secret,
                observation.messages().observer(new TrafficCounts(statistics.lane(lane))));
        HopDelays observer = new HopDelays(statistics.lane(lane), books.get(lane));
        return new ProxySetup(listeners.identity(), settings, transactions, observer);
    }

    /**
     * Opens the listeners and starts the lanes.
     *
     * @throws IOException if an address cannot be listened on, or a file cannot be used
     */
    public static Proxy open(ProxyConfig config, ProxyEnvironment environment) throws IOException {
        int count = config.lanes() == 0 ? Runtime.getRuntime().availableProcessors() : config.lanes();
        DatagramOptions options =
                DatagramOptions.standard().with(config.network().datagrams());
        DatagramSockets sockets = DatagramSockets.open(count, ListenerSet.datagrams(config.listeners()), options);
        StreamTraffic streams = null;
        Proxy proxy;
        try {
            streams =
                    new StreamTraffic(config.listeners(), count, config.limits().connections());
            proxy = new Proxy(config, sockets, streams, environment);
        } catch (IOException | RuntimeException | Error e) {
            sockets.close();
            if (streams != null) {
                streams.close();
            }
            throw e;
        }
        try {
            proxy.observe(environment);
        } catch (IOException | RuntimeException | Error e) {
            proxy.closeNow();
            throw e;
        }
        return proxy;
    }

    /**
     * Opens a proxy inside of another program: without log and control socket.
     *
     * @param failures is told of exceptions that cost a message, which are bugs
     * @throws IOException if an address cannot be listened on, or a file cannot be used
     */
    public static Proxy open(ProxyConfig config, Consumer<Throwable> failures) throws IOException {
        return open(config, ProxyEnvironment.embedded(config, failures));
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

    /** What is counted. */
    public ProxyStatistics statistics() {
        return statistics;
    }

    /** Reads the configuration again and takes it; a wrong one changes nothing. */
    public synchronized LiveState.Reload reload(ProxyEnvironment environment) {
        try {
            return reload(environment.configuration().get());
        } catch (ConfigException e) {
            return new LiveState.Reload(
                    false, e.faults().stream().map(ConfigFault::toString).toList());
        }
    }

    /**
     * Takes another configuration, without losing a transaction: routes, groups, trunks, users, limits, bans, certificates and
     * what the registrar grants.
     *
     * @return whether it is in force; if not, what needs a restart or cannot be used, and the old one stays
     */
    public synchronized LiveState.Reload reload(ProxyConfig after) {
        List<ConfigDifference> stuck = config.needsRestart(after);
        if (!stuck.isEmpty()) {
            return new LiveState.Reload(
                    false,
                    stuck.stream()
                            .map(difference -> difference + "; needs a restart")
                            .toList());
        }
        try {
            Runnable certificates = streams.readCertificates(after.listeners());
            services.reload(after);
            certificates.run();
            resolver.configure(after.network().dns());
            observation.reload(after.operation());
        } catch (IOException | RouterException e) {
            return new LiveState.Reload(false, List.of(String.valueOf(e.getMessage())));
        }
        List<String> changes = ProxyConfig.schema().differences(config.read(), after.read()).stream()
                .map(ConfigDifference::toString)
                .toList();
        config = after;
        for (ProxyLane lane : lanes.lanes()) {
            LanePolicy policy = policies.get(lane.number());
            lane.execute(_ -> {
                policy.configure(policyServices());
                lane.overload().reload(after.overload());
            });
        }
        return new LiveState.Reload(true, changes);
    }

    /** Ends in order: no new calls, answers in flight, connections after their data, registrations; at most the grace time. */
    @Override
    public void close() {
        if (isClosed.getAndSet(true)) {
            return;
        }
        long deadlineNs = System.nanoTime() + config.operation().graceMs() * MS;
        services.admission().close();
        streams.stopListening();
        while (pendingRequests() > 0 && System.nanoTime() < deadlineNs) {
            LockSupport.parkNanos(LOOK_NS);
        }
        end(deadlineNs);
    }

    /** Ends at once: what is in flight is lost, registrations are not. */
    public void closeNow() {
        if (!isClosed.getAndSet(true)) {
            streams.stopListening();
            end(System.nanoTime());
        }
    }

    private void end(long deadlineNs) {
        lanes.close();
        try {
            streams.drain(Math.max(deadlineNs - System.nanoTime(), 0));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        streams.close();
        observation.close();
        resolver.close();
        services.close();
    }

    /** Requests without a final response, of all lanes. */
    private int pendingRequests() {
        int pending = 0;
        for (ProxyLane lane : lanes.lanes()) {
            CompletableFuture<Integer> answer = new CompletableFuture<>();
            lane.execute(_ -> answer.complete(lane.core().transactions().pendingServers()));
            try {
                pending += answer.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException e) {
                pending++;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return 0;
            }
        }
        return pending;
    }
}
