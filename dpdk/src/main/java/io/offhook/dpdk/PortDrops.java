package io.offhook.dpdk;

import java.util.Set;

/** What a port dropped since it was started: by its own statistics, as its driver means them. */
final class PortDrops {
    static final String NET_PCAP = "net_pcap";

    /** Drivers that have taken a packet when they find no mbuf for it: it is lost. Others find it again. */
    private static final Set<String> LOSE_WITHOUT_MBUF = Set.of(NET_PCAP, "net_tap");

    private final EthPort port;
    private final boolean losesWithoutMbuf;
    private long ring;
    private long other;

    PortDrops(EthPort port) {
        this.port = port;
        losesWithoutMbuf = LOSE_WITHOUT_MBUF.contains(port.info().driverName());
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
