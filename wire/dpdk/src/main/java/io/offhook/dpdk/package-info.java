/**
 * DPDK (22.11) by way of the installed libraries. The entry type is {@link io.offhook.dpdk.Eal}, started once per
 * process. It creates {@link io.offhook.dpdk.EthPort}s, whose queues receive and send bursts of mbufs, which belong to
 * a {@link io.offhook.dpdk.Mempool} and are accessed in place through an {@link io.offhook.dpdk.MbufView}. {@link
 * io.offhook.dpdk.DpdkSource} captures from a port.
 *
 * <p>Functions, sizes and offsets are in one class per C header, not exported; a test compares them with the
 * compiler's, and {@link io.offhook.dpdk.Eal#start} refuses other versions.
 */
@NullMarked
package io.offhook.dpdk;

import org.jspecify.annotations.NullMarked;
