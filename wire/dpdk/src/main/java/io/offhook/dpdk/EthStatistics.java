package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * What became of packets at a port since it was started: rte_eth_stats. Drivers count what they can, some nothing of a
 * kind; their xstats may tell more.
 *
 * @param receivedPackets handed over
 * @param sentPackets sent
 * @param receivedBytes of these, without checksum
 * @param sentBytes of these, without checksum
 * @param missedPackets came while the receive queues were full; those of net_af_packet are the kernel's count
 * @param receiveErrors came broken
 * @param sendErrors not sent, for the device failed
 * @param noMbuf how often no mbuf was free to receive into; a lost packet each where the driver
 *     {@linkplain EthPortInfo#losesWithoutMbuf loses them}, others try again
 */
public record EthStatistics(
        long receivedPackets,
        long sentPackets,
        long receivedBytes,
        long sentBytes,
        long missedPackets,
        long receiveErrors,
        long sendErrors,
        long noMbuf) {
    /** @param missedBelow packets that came while queues below the driver's were full */
    static EthStatistics of(MemorySegment stats, long missedBelow) {
        return new EthStatistics(
                stats.get(JAVA_LONG, EthdevLayout.STATS_IPACKETS),
                stats.get(JAVA_LONG, EthdevLayout.STATS_OPACKETS),
                stats.get(JAVA_LONG, EthdevLayout.STATS_IBYTES),
                stats.get(JAVA_LONG, EthdevLayout.STATS_OBYTES),
                stats.get(JAVA_LONG, EthdevLayout.STATS_IMISSED) + missedBelow,
                stats.get(JAVA_LONG, EthdevLayout.STATS_IERRORS),
                stats.get(JAVA_LONG, EthdevLayout.STATS_OERRORS),
                stats.get(JAVA_LONG, EthdevLayout.STATS_RX_NOMBUF));
    }
}
