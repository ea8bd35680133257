/**
 * Packets from the wire and onto it. The entry type is {@link io.offhook.live.packetsocket.PacketSocketSource}:
 * AF_PACKET, its ring mapped once; frames are read where the kernel wrote them, and each is either delivered or counted
 * by cause in {@link io.offhook.live.LiveCounts}.
 *
 * <p>{@link io.offhook.live.xdp.XdpSource}, AF_XDP, takes frames before the network stack of the machine sees them;
 * {@link io.offhook.live.xdp.XdpSocket} below it also sends. {@link io.offhook.live.libpcap.LibpcapSource} captures
 * from everything else that libpcap knows.
 *
 * <p>A source lends memory that the kernel shares (ring blocks, chunks) to a batch; the kernel gets it back when the
 * batch is filled again. {@link io.offhook.live.packetsocket.PacketSocketSink} sends, and {@link
 * io.offhook.live.replay.Replay} sends captures through it.
 */
@NullMarked
package io.offhook.live;

import org.jspecify.annotations.NullMarked;
