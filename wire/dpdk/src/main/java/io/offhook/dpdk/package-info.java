/**
 * DPDK (22.11) by way of the libraries that are installed. Entry is {@link io.offhook.dpdk.Eal}, started once a process;
 * it gives {@link io.offhook.dpdk.EthPort}s, whose queues receive and send bursts of mbufs, which lie in a
 * {@link io.offhook.dpdk.Mempool} and are looked at through an {@link io.offhook.dpdk.MbufView}, in place.
 * {@link io.offhook.dpdk.DpdkSource} makes a capture of a port.
 *
 * <p>One class a C header, not exported, holds functions, sizes and offsets; a test holds these against the compiler's, and
 * {@link io.offhook.dpdk.Eal#start} refuses versions that they are not of.
 */
@NullMarked
package io.offhook.dpdk;

import org.jspecify.annotations.NullMarked;
