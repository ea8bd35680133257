package io.offhook.collector;

import io.offhook.live.BatchLoans;
import io.offhook.live.LiveCounts;
import io.offhook.live.RingDriver;
import io.offhook.live.WallClock;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureInterface;
import io.offhook.transport.CloseCause;
import io.offhook.transport.ConnectionCounter;
import io.offhook.transport.ConnectionLoops;
import io.offhook.transport.ListenSettings;
import io.offhook.transport.Listener;
import io.offhook.transport.TlsContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The transports of a collector, and the queue that they fill, as a ring that a live source reads. */
final class HepDriver implements RingDriver {
    private static final long COUNT_NS = 100_000_000L;
    /** The queue is memory, and no ring of the kernel that could fill meanwhile. */
    private static final int MOST_WAIT_MS = 50;

    private final FrameBlocks blocks;
    private final HepGate.Counters counters = new HepGate.Counters();
    private final CaptureInterface captureInterface;
    private final WallClock clock = new WallClock();
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private @Nullable HepDatagrams datagrams;
    private @Nullable ConnectionLoops loops;
    private @Nullable Thread ending;

    private HepDriver(HepCollectorOptions options) {
        blocks = new FrameBlocks(options.bufferBytes());
        String name =
                "HEP " + options.listeners().stream().map(HepListener::toString).collect(Collectors.joining(" "));
        captureInterface = new CaptureInterface(name, LinkType.RAW, 0, 1_000_000_000, 0, name);
    }

    /** @throws IOException if an address cannot be bound; the message has it */
    static HepDriver open(HepCollectorOptions options) throws IOException {
        HepDriver driver = new HepDriver(options);
        boolean isOpen = false;
        try {
            driver.listen(options);
            isOpen = true;
            return driver;
        } finally {
            if (!isOpen) {
                driver.close();
            }
        }
    }

    private void listen(HepCollectorOptions options) throws IOException {
        List<HepListener> udp = new ArrayList<>();
        for (HepListener listener : options.listeners()) {
            if (listener.transport() == HepListener.Transport.UDP) {
                udp.add(listener);
            }
        }
        if (!udp.isEmpty()) {
            datagrams = HepDatagrams.open(udp, new HepGate(blocks, counters, options.key()));
        }
        List<Integer> ports = new ArrayList<>();
        if (udp.size() < options.listeners().size()) {
            streams(options, ports);
        }
        addresses(options, ports);
        if (datagrams != null) {
            datagrams.start();
        }
    }

    private void streams(HepCollectorOptions options, List<Integer> ports) throws IOException {
        // one loop, whose thread alone uses the gate and the clock
        ConnectionLoops started = ConnectionLoops.start("hep-tcp", 1, options.limits(), options.timeouts());
        loops = started;
        HepGate gate = new HepGate(blocks, counters, options.key());
        WallClock arrivals = new WallClock();
        for (HepListener listener : options.listeners()) {
            if (listener.transport() != HepListener.Transport.UDP) {
                Listener bound = started.listen(
                        settings(listener, options.tls()), () -> new HepStream(gate, counters, arrivals));
                ports.add(bound.port());
            }
        }
    }

    private static ListenSettings settings(HepListener listener, @Nullable TlsContext tls) {
        return listener.transport() == HepListener.Transport.TLS
                ? ListenSettings.tls(listener.address(), Objects.requireNonNull(tls))
                : ListenSettings.tcp(listener.address());
    }

    /** The addresses in the order of the listeners, with the ports that the system chose. */
    private void addresses(HepCollectorOptions options, List<Integer> ports) {
        int udp = 0;
        int tcp = 0;
        for (HepListener listener : options.listeners()) {
            addresses.add(
                    listener.transport() == HepListener.Transport.UDP
                            ? Objects.requireNonNull(datagrams).addresses().get(udp++)
                            : new InetSocketAddress(listener.address().getAddress(), ports.get(tcp++)));
        }
    }

    List<InetSocketAddress> addresses() {
        return List.copyOf(addresses);
    }

    @Override
    public CaptureInterface captureInterface() {
        return captureInterface;
    }

    @Override
    public void fill(FrameBatch batch, BatchLoans.Loan loan) {
        blocks.fill(batch, loan);
    }

    @Override
    public void giveBack(long[] places, int count) {
        blocks.giveBack(places, count);
    }

    @Override
    public boolean hasFrames() {
        return blocks.hasFrames();
    }

    @Override
    public void await(int atMostMs) {
        blocks.await(Math.min(atMostMs, MOST_WAIT_MS));
    }

    @Override
    public void wakeUp() {
        blocks.wakeUp();
    }

    /** Ends the transports without waiting for them: they may wait for room, which only reading makes. */
    @Override
    public void detach() {
        ending = Thread.ofPlatform().daemon().name("hep-end").start(this::endTransports);
    }

    private void endTransports() {
        if (datagrams != null) {
            datagrams.end();
        }
        if (loops != null) {
            loops.close();
        }
        try {
            if (datagrams != null) {
                datagrams.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does
        }
    }

    @Override
    public boolean isDrained(long detachedForNs, long quietForNs) {
        Thread ends = ending;
        return ends != null && !ends.isAlive() && !blocks.hasFrames();
    }

    @Override
    public void count(LiveCounts.Builder counts) {
        long drops = datagrams == null ? 0 : datagrams.drops();
        counts.drops(0, drops);
        counts.freezes(blocks.waits());
        counts.received(counts.delivered() + counts.filtered() + blocks.waiting() + drops);
    }

    @Override
    public long filtered() {
        return counters.refused();
    }

    @Override
    public long countIntervalNs() {
        return COUNT_NS;
    }

    @Override
    public long nowNs() {
        return clock.nowNs();
    }

    @Override
    public @Nullable String whyGone() {
        Throwable failure = datagrams == null ? null : datagrams.failure();
        return failure == null ? null : "receiving over UDP failed: " + failure;
    }

    HepCollectorCounts counts() {
        ConnectionLoops streams = loops;
        return new HepCollectorCounts(
                counters.notHep.sum(),
                counters.malformed.sum(),
                counters.wrongKey.sum(),
                counters.tooLong.sum(),
                counters.keepAlives.sum(),
                new HepCollectorCounts.Connections(
                        count(streams, ConnectionCounter.ACCEPTED),
                        count(streams, ConnectionCounter.REFUSED_LIMIT)
                                + count(streams, ConnectionCounter.REFUSED_SOURCE)
                                + count(streams, ConnectionCounter.REFUSED_FAMILY)
                                + count(streams, ConnectionCounter.ACCEPT_FAILED),
                        counters.streamsClosed.sum() + closed(streams, CloseCause.UNREAD_LIMIT),
                        closed(streams, CloseCause.PEER_SENDS_SLOWLY) + closed(streams, CloseCause.HANDSHAKE_TIMEOUT),
                        closed(streams, CloseCause.HANDSHAKE_FAILED) + closed(streams, CloseCause.TLS_FAILED)),
                datagrams == null ? 0 : datagrams.drops(),
                blocks.waits());
    }

    private static long count(@Nullable ConnectionLoops loops, ConnectionCounter counter) {
        return loops == null ? 0 : loops.count(counter);
    }

    private static long closed(@Nullable ConnectionLoops loops, CloseCause cause) {
        return loops == null ? 0 : loops.closed(cause);
    }

    @Override
    public void close() {
        blocks.end();
        Thread ends = ending;
        if (ends == null) {
            endTransports();
        } else {
            boolean isInterrupted = false;
            while (ends.isAlive()) {
                try {
                    ends.join();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
        blocks.close();
    }
}
