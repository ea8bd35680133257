/**
 * Network devices and sockets as the kernel reports them by netlink, ioctl and {@code /sys}. {@link
 * io.offhook.linux.network.NetworkDevice} lists the interfaces of this network namespace, {@link
 * io.offhook.linux.network.LinkWatch} their changes, {@link io.offhook.linux.network.Ethtool} rings, channels and
 * offloads of a card, {@link io.offhook.linux.network.KernelSocket} sockets with their queues and drops.
 */
@NullMarked
package io.offhook.linux.network;

import org.jspecify.annotations.NullMarked;
