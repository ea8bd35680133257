package io.offhook.collector;

import io.offhook.live.IdleStrategy;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.live.RingSource;
import io.offhook.pcap.WrappedSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Receives what capture agents send by HEP over UDP, TCP and TLS, as a live source of frames: each frame is a HEP packet
 * behind an IP header, from the agent to the collector, and a UDP header, whatever carried it, with the time of its arrival.
 * Analysed, what it carries counts as captured where the agent captured it, at the agent's time; recorded, it is a capture
 * that other programs read as HEP. The authentication key is overwritten in frames.
 *
 * <pre>{@code
 * HepCollectorOptions options = HepCollectorOptions.of(List.of(HepListener.parse("udp:9060")));
 * try (HepCollector collector = HepCollector.open(options)) {
 *     Analysis.watch(collector, analysis, watcher);
 * }
 * }</pre>
 *
 * <p>Memory is bounded: while the reader is behind, connections are not read, and datagrams wait in their socket, where the
 * kernel drops and counts those without room ({@link LiveCounts#kernelDrops}). Packets that were refused count as {@linkplain
 * LiveCounts#filtered filtered}; {@link #collected} has the causes.
 */
public final class HepCollector extends WrappedSource implements LiveSource {
    private final RingSource source;
    private final HepDriver driver;

    private HepCollector(RingSource source, HepDriver driver) {
        super(source);
        this.source = source;
        this.driver = driver;
    }

    /**
     * Binds all addresses, and begins to receive.
     *
     * @throws IOException if an address cannot be bound; the message has it, and nothing stays open
     */
    public static HepCollector open(HepCollectorOptions options) throws IOException {
        HepDriver driver = HepDriver.open(options);
        return new HepCollector(new RingSource(driver, IdleStrategy.PARK), driver);
    }

    /** The addresses that are bound, in the order of the listeners, with the ports that the system chose. */
    public List<InetSocketAddress> addresses() {
        return driver.addresses();
    }

    /** What was not delivered, and which connections were closed. Thread-safe. */
    public HepCollectorCounts collected() {
        return driver.counts();
    }

    @Override
    public void start() {
        source.start();
    }

    @Override
    public void stop() {
        source.stop();
    }

    @Override
    public LiveCounts counts() {
        return source.counts();
    }
}
