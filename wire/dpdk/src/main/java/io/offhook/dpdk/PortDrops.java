package io.offhook.dpdk;

/** What a port dropped since it was started: by its own statistics, as its driver means them. */
final class PortDrops {
    private final EthPort port;
    private final boolean losesWithoutMbuf;
    private long ring;
    private long other;

    PortDrops(EthPort port) {
        this.port = port;
        losesWithoutMbuf = port.info().losesWithoutMbuf();
    }

    /** Asks the port. */
    void ask() {
        EthStatistics statistics = port.statistics();
        ring = statistics.missedPackets();
        other = statistics.receiveErrors() + (losesWithoutMbuf ? statistics.noMbuf() : 0);
    }

    /** Came while the queue was full. */
    long ring() {
        return ring;
    }

    /** Broken, or without an mbuf to take them. */
    long other() {
        return other;
    }

    long all() {
        return ring + other;
    }
}
