package io.offhook.dpdk;

/** The packets that a port dropped since it was started, from its statistics as its driver defines them. */
final class PortDrops {
    private final EthPort port;
    private final boolean losesWithoutMbuf;
    private long ring;
    private long other;

    PortDrops(EthPort port) {
        this.port = port;
        losesWithoutMbuf = port.info().losesWithoutMbuf();
    }

    /** Queries the port. */
    void ask() {
        EthStatistics statistics = port.statistics();
        ring = statistics.missedPackets();
        other = statistics.receiveErrors() + (losesWithoutMbuf ? statistics.noMbuf() : 0);
    }

    /** Returns the packets that arrived while the queue was full. */
    long ring() {
        return ring;
    }

    /** Returns the packets with errors, or without a free mbuf. */
    long other() {
        return other;
    }

    long all() {
        return ring + other;
    }
}
