package io.offhook.dpdk;

/**
 * The link of a port at the time of the query: rte_eth_link.
 *
 * @param isUp whether the link is up
 * @param speedMbps the speed in megabits per second; -1 if unknown, 0 without a link
 * @param isFullDuplex whether both ends may send at once
 */
public record EthLink(boolean isUp, int speedMbps, boolean isFullDuplex) {}
