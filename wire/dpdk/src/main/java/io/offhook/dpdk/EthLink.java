package io.offhook.dpdk;

/**
 * The link of a port, as it was when it was asked: rte_eth_link.
 *
 * @param isUp whether there is one
 * @param speedMbps megabits a second; -1 where it is not known, 0 where there is none
 * @param isFullDuplex whether both ends may send at once
 */
public record EthLink(boolean isUp, int speedMbps, boolean isFullDuplex) {}
