package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.proxy.Proxy;
import io.offhook.proxy.ProxyConfig;
import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.statistics.CauseFigure;
import io.offhook.proxy.statistics.GroupFigure;
import io.offhook.sip.proxy.ProxyCore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** A proxy with two lanes on a free port of 127.0.0.1, in this process. */
final class RunningProxy implements AutoCloseable {
    /** Longer than a test: what the proxy sends twice on a busy machine would fail the scenarios. */
    private static final String NEVER = "t1: 5s, t2: 10s";

    private static final long PATIENCE_S = 60;

    private final Proxy proxy;
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    private RunningProxy(String yaml) throws IOException {
        proxy = Proxy.open(ProxyConfig.reader().read(yaml, "test"), failures::add);
    }

    /** What starts proxies that receive and send datagrams in one of two ways. */
    enum Kind {
        /** As the system can: on Linux by recvmmsg and sendmmsg. */
        USUAL(""),
        /** By DatagramChannel of the JDK, as where there is no native access. */
        NIO("datagrams: nio\n");

        private final String yaml;

        Kind(String yaml) {
            this.yaml = yaml;
        }

        /** Whether it gets ICMP's port unreachable; otherwise timers B and F end what nobody hears. */
        boolean hearsOfClosedPorts() {
            return this == USUAL;
        }

        /** One that relays by the request URI, and does not repeat anything in the time of a test. */
        RunningProxy relay() throws IOException {
            return relay(NEVER);
        }

        /** One that relays by the request URI, with timers. */
        RunningProxy relay(String timers) throws IOException {
            return of(0, timers, yaml);
        }

        /** A registrar without passwords for the domain localhost. */
        RunningProxy registrar() throws IOException {
            return with("open: true\ndomains: [localhost]\n");
        }

        /** With sections; it does not repeat anything either. */
        RunningProxy with(String sections) throws IOException {
            return with(NEVER, sections);
        }

        /** With timers and sections. */
        RunningProxy with(String timers, String sections) throws IOException {
            return of(0, timers, yaml + sections);
        }
    }

    /**
     * One with a configuration.
     *
     * @param port 0 for any
     * @param timers of the section sip.timers
     * @param yaml further sections
     */
    static RunningProxy of(int port, String timers, String yaml) throws IOException {
        return new RunningProxy("""
                listeners: [{name: udp, address: 127.0.0.1, port: %d}]
                lanes: 2
                relay: {allow: [127.0.0.0/8]}
                sip: {timers: {%s}}
                """.formatted(port, timers) + yaml);
    }

    static RunningProxy withConfiguration(String yaml) throws IOException {
        return new RunningProxy(yaml);
    }

    /** Sections that do not make it repeat messages, for configurations of which other parts matter. */
    static RunningProxy with(String yaml) throws IOException {
        return of(0, NEVER, yaml);
    }

    int port() {
        return proxy.addresses().getFirst().getPort();
    }

    /** Its URI, as it records itself. */
    String host() {
        return "127.0.0.1:" + port();
    }

    /** The sum of a number of all lanes, read by their threads. */
    long sum(ToLongFunction<ProxyCore> number) {
        long sum = 0;
        for (ProxyLane lane : proxy.lanes().lanes()) {
            CompletableFuture<Long> read = new CompletableFuture<>();
            assertThat(lane.execute(_ -> read.complete(number.applyAsLong(lane.core()))))
                    .isTrue();
            sum += read.orTimeout(PATIENCE_S, TimeUnit.SECONDS).join();
        }
        return sum;
    }

    /** The counters of a group, by cause. */
    Map<String, Long> causes(String group) {
        return proxy.statistics().snapshot().causes().stream()
                .filter(figure -> figure.group().equals(group))
                .collect(Collectors.toMap(CauseFigure::cause, CauseFigure::count));
    }

    /** The groups of next hops as they are now. */
    List<GroupFigure> groups() {
        return proxy.statistics().groups();
    }

    /** Waits until the timers of all transactions have run out. */
    void awaitNoTransactions() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (sum(ProxyCore::contextCount) > 0) {
            assertThat(System.nanoTime() - end).as("transactions end").isNegative();
            TimeUnit.MILLISECONDS.sleep(20); // their timers run
        }
    }

    @Override
    public void close() {
        proxy.close();
        assertThat(failures).isEmpty();
    }
}
