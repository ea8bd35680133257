/**
 * Packets from the wire, and onto it. Entry is {@link io.offhook.live.packetsocket.PacketSocketSource}: AF_PACKET, its ring mapped once; frames are
 * read where the kernel wrote them, and each is either handed over or counted, by cause, in
 * {@link io.offhook.live.LiveCounts}.
 *
 * <p>{@link io.offhook.live.xdp.XdpSource}, AF_XDP, takes frames away before the machine's own stack has them;
 * {@link io.offhook.live.xdp.XdpSocket} below it also sends. {@link io.offhook.live.libpcap.LibpcapSource} is for what else libpcap knows.
 *
 * <p>A source fills a batch from what the kernel shares (ring blocks, chunks) and lends that to it; when the batch comes back
 * to be filled again, it returns to the kernel. The way back is {@link io.offhook.live.packetsocket.PacketSocketSink}, and what {@link
 * io.offhook.live.replay.Replay} sends through it.
 */
@NullMarked
package io.offhook.live;

import org.jspecify.annotations.NullMarked;
