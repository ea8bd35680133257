/**
 * Packets, decoded where they lie. A source fills a {@link io.offhook.packet.FrameBatch}; {@link
 * io.offhook.packet.PacketWalker} finds the layers of one frame; a view ({@code UdpView}, {@code Ipv4View}...) wraps one
 * layer and reads its fields in place. All bytes are read as base segment + offset; nothing is copied and nothing is
 * allocated per packet.
 */
@NullMarked
package io.offhook.packet;

import org.jspecify.annotations.NullMarked;
