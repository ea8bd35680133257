package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * What a port can do: rte_eth_dev_info.
 *
 * @param driverName {@code net_af_packet}
 * @param interfaceIndex of the kernel's interface below it; 0 where there is none
 * @param minMtu bytes
 * @param maxMtu bytes
 * @param maxPacketBytes the longest frame that it receives
 * @param maxRxQueues to receive from
 * @param maxTxQueues to send by
 * @param rxOffloads RTE_ETH_RX_OFFLOAD_... that it has
 * @param txOffloads RTE_ETH_TX_OFFLOAD_... that it has
 * @param rssFields RTE_ETH_RSS_... that it can share packets by; 0 where it cannot
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

    /** Whether it can share packets among queues by a hash of addresses and ports. */
    public boolean hasRss() {
        return rssFields != 0;
    }

    /**
     * Whether its driver has taken a packet when it finds no mbuf for it, so that the packet is lost: then
     * {@link EthStatistics#noMbuf} are packets. Others find it again.
     */
    public boolean losesWithoutMbuf() {
        return LOSE_WITHOUT_MBUF.contains(driverName);
    }

    boolean hasRxOffload(int bit) {
        return (rxOffloads >>> bit & 1) != 0;
    }

    boolean hasTxOffload(int bit) {
        return (txOffloads >>> bit & 1) != 0;
    }
}
