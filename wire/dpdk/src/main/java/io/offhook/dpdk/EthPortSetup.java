package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Configures a port and sets up its queues, which a port needs before each start. */
final class EthPortSetup {
    private final EthPort port;
    private final EthPortInfo info;
    private final EthPortOptions options;
    private final Mempool pool;

    /** @param pool the pool that all receive queues receive into */
    EthPortSetup(EthPort port, EthPortOptions options, Mempool pool) {
        this.port = port;
        info = port.info();
        this.options = options;
        this.pool = pool;
    }

    /**
     * Configures the port and sets up the queues.
     *
     * @throws IllegalArgumentException if the device has fewer queues than the options ask for
     * @throws DpdkException if the device refuses
     */
    void run() {
        checkQueues("receive", options.rxQueues(), info.maxRxQueues());
        checkQueues("send", options.txQueues(), info.maxTxQueues());
        configure();
        setUpQueues();
    }

    private void checkQueues(String what, int wanted, int most) {
        if (wanted > most) {
            throw new IllegalArgumentException("port " + port.name() + " (" + info.driverName() + ") has " + most + " "
                    + what + " queues at the most, not " + wanted);
        }
    }

    private void configure() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment conf = arena.allocate(EthdevLayout.CONF_BYTES, Long.BYTES);
            if (options.rxQueues() > 1 && info.hasRss()) {
                conf.set(JAVA_INT, EthdevLayout.CONF_RX_MODE, EthdevLayout.MODE_RSS);
                long wanted = EthdevLayout.RSS_IP | EthdevLayout.RSS_UDP | EthdevLayout.RSS_TCP;
                conf.set(JAVA_LONG, EthdevLayout.CONF_RSS_FIELDS, wanted & info.rssFields());
            }
            conf.set(JAVA_INT, EthdevLayout.CONF_MTU, options.mtu());
            conf.set(JAVA_LONG, EthdevLayout.CONF_RX_OFFLOADS, rxOffloads(options, info, pool.dataBytes()));
            conf.set(JAVA_LONG, EthdevLayout.CONF_TX_OFFLOADS, offered(info.txOffloads(), EthdevLayout.TX_MULTI_SEGS));
            port.check(RteEthdev.configure(port.number(), options.rxQueues(), options.txQueues(), conf), "configure");
            probe(arena);
        }
    }

    /** @param dataBytes the data bytes of an mbuf: longer packets span several, if the device supports that */
    static long rxOffloads(EthPortOptions options, EthPortInfo info, int dataBytes) {
        long rx = offered(info.rxOffloads(), EthdevLayout.RX_TIMESTAMP);
        if (options.rxQueues() > 1 && info.hasRss()) {
            rx |= offered(info.rxOffloads(), EthdevLayout.RX_RSS_HASH);
        }
        if (options.mtu(info) + EthdevLayout.FRAME_OVERHEAD > dataBytes) {
            rx |= offered(info.rxOffloads(), EthdevLayout.RX_SCATTER);
        }
        return rx;
    }

    private static long offered(long offloads, int bit) {
        return offloads & 1L << bit;
    }

    /**
     * Checks that DPDK understood the configuration as intended; otherwise a structure differs from the known layout.
     */
    private void probe(Arena arena) {
        MemorySegment answer = arena.allocate(EthdevLayout.INFO_BYTES, Long.BYTES);
        port.check(RteEthdev.info(port.number(), answer), "ask for information");
        if ((answer.get(JAVA_SHORT, EthdevLayout.INFO_RX_QUEUES) & 0xffff) != options.rxQueues()
                || (answer.get(JAVA_SHORT, EthdevLayout.INFO_TX_QUEUES) & 0xffff) != options.txQueues()
                || options.mtu() != 0 && port.mtu() != options.mtu()) {
            throw new DpdkException(
                    "port " + port.name() + " is not configured as it was asked to be: the structures of "
                            + DpdkLibraries.version() + " are not as those of DPDK "
                            + DpdkLibraries.KNOWN.getFirst().name() + " are known to be");
        }
    }

    private void setUpQueues() {
        int socket = RteEthdev.socket(port.number());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rx = arena.allocateFrom(JAVA_SHORT, (short) options.rxDescriptors());
            MemorySegment tx = arena.allocateFrom(JAVA_SHORT, (short) options.txDescriptors());
            port.check(RteEthdev.adjustDescriptors(port.number(), rx, tx), "ask for descriptors");
            for (int queue = 0; queue < options.rxQueues(); queue++) {
                int descriptors = rx.get(JAVA_SHORT, 0) & 0xffff;
                port.check(
                        RteEthdev.rxQueueSetup(port.number(), queue, descriptors, socket, pool.address()),
                        "set up receive queue " + queue + " of " + descriptors + " descriptors");
            }
            for (int queue = 0; queue < options.txQueues(); queue++) {
                int descriptors = tx.get(JAVA_SHORT, 0) & 0xffff;
                port.check(
                        RteEthdev.txQueueSetup(port.number(), queue, descriptors, socket),
                        "set up send queue " + queue + " of " + descriptors + " descriptors");
            }
        }
    }
}
