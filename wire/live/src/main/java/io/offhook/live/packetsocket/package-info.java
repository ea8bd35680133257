/**
 * AF_PACKET, packet(7). {@link io.offhook.live.packetsocket.PacketSocketSource} captures from a ring that the kernel
 * shares, {@link io.offhook.live.packetsocket.PacketSocketSink} sends through one, {@link
 * io.offhook.live.packetsocket.PacketSocketLink} forwards frames one by one; {@link
 * io.offhook.live.packetsocket.IpSniffer} captures IP packets with a few lines of code.
 */
@NullMarked
package io.offhook.live.packetsocket;

import org.jspecify.annotations.NullMarked;
