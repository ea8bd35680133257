/**
 * AF_PACKET, packet(7). {@link io.offhook.live.packetsocket.PacketSocketSource} captures from a ring that the kernel
 * shares, {@link io.offhook.live.packetsocket.PacketSocketSink} sends through one, {@link
 * io.offhook.live.packetsocket.PacketSocketLink} passes frames on one by one; {@link
 * io.offhook.live.packetsocket.IpSniffer} is the few lines that a sniffer needs.
 */
@NullMarked
package io.offhook.live.packetsocket;

import org.jspecify.annotations.NullMarked;
