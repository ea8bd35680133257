package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * What became of packets at a port since it was started: rte_eth_stats. Each driver counts what it can; its xstats may
 * have more.
 *
 * @param receivedPackets packets delivered
 * @param sentPackets packets sent
 * @param receivedBytes the bytes of received packets, without frame check sequence
 * @param sentBytes the bytes of sent packets, without frame check sequence
 * @param missedPackets packets that arrived while the receive queues were full; for net_af_packet, as counted by the
 *     kernel
 * @param receiveErrors packets received with errors
 * @param sendErrors packets not sent because the device failed
 * @param noMbuf how often no mbuf was free to receive into; each a lost packet if the driver {@linkplain
 *     EthPortInfo#losesWithoutMbuf loses them}, while other drivers try again
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
    /** @param missedBelow packets that arrived while queues below the driver were full */
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
