package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * The capabilities of a port: rte_eth_dev_info.
 *
 * @param driverName {@code net_af_packet}
 * @param interfaceIndex the index of the kernel interface below it; 0 if there is none
 * @param minMtu the smallest MTU in bytes
 * @param maxMtu the largest MTU in bytes
 * @param maxPacketBytes the longest frame that it receives
 * @param maxRxQueues the most receive queues
 * @param maxTxQueues the most send queues
 * @param rxOffloads the supported RTE_ETH_RX_OFFLOAD_... bits
 * @param txOffloads the supported RTE_ETH_TX_OFFLOAD_... bits
 * @param rssFields the supported RTE_ETH_RSS_... bits for distributing packets; 0 if there are none
 */
public record EthPortInfo(
        String driverName,
        int interfaceIndex,
        int minMtu,
        int maxMtu,
        int maxPacketBytes,
        int maxRxQueues,
        int maxTxQueues,
        long rxOffloads,
        long txOffloads,
        long rssFields) {
    static final String NET_PCAP = "net_pcap";

    private static final Set<String> LOSE_WITHOUT_MBUF = Set.of(NET_PCAP, "net_tap");

    static EthPortInfo of(MemorySegment info) {
        return new EthPortInfo(
                DpdkLibraries.text(
                        info.get(ADDRESS, EthdevLayout.INFO_DRIVER_NAME).address()),
                info.get(JAVA_INT, EthdevLayout.INFO_INTERFACE),
                info.get(JAVA_SHORT, EthdevLayout.INFO_MIN_MTU) & 0xffff,
                info.get(JAVA_SHORT, EthdevLayout.INFO_MAX_MTU) & 0xffff,
                info.get(JAVA_INT, EthdevLayout.INFO_MAX_PACKET),
                info.get(JAVA_SHORT, EthdevLayout.INFO_MAX_RX_QUEUES) & 0xffff,
                info.get(JAVA_SHORT, EthdevLayout.INFO_MAX_TX_QUEUES) & 0xffff,
                info.get(JAVA_LONG, EthdevLayout.INFO_RX_OFFLOADS),
                info.get(JAVA_LONG, EthdevLayout.INFO_TX_OFFLOADS),
                info.get(JAVA_LONG, EthdevLayout.INFO_RSS_FIELDS));
    }

    /** Returns whether it can distribute packets among queues by a hash of addresses and ports. */
    public boolean hasRss() {
        return rssFields != 0;
    }

    /**
     * Returns whether its driver takes a packet before it looks for an mbuf, and so loses the packet if there is none:
     * {@link EthStatistics#noMbuf} are then packets. Other drivers try again.
     */
    public boolean losesWithoutMbuf() {
        return LOSE_WITHOUT_MBUF.contains(driverName);
    }
}
