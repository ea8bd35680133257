/**
 * Packets, decoded where they lie. A source fills a {@link io.offhook.packet.FrameBatch}; {@link
 * io.offhook.packet.walk.PacketWalker} finds the layers of one frame; a view ({@code UdpView}, {@code Ipv4View}...)
 * wraps one layer and reads its fields in place. All bytes are read as base segment + offset; nothing is copied and
 * nothing is allocated per packet.
 *
 * <p>A view's setters write in place, beside its getters. A value that the field cannot hold is an {@link
 * IllegalArgumentException} that names field, value and limit; a field that the header at hand does not have, an {@link
 * IllegalStateException}. A setter changes its field and nothing else, no checksum either: {@link
 * io.offhook.packet.edit.PacketEditor} keeps those right. A read-only segment refuses the write by itself, with an
 * {@link IllegalArgumentException} too.
 *
 * <p>{@link io.offhook.packet.write.PacketWriter} makes packets. {@link io.offhook.packet.buffer.CompositeBuffer} reads
 * several stretches of memory as one, {@link io.offhook.packet.buffer.SlidingWindow} those of an endless stream.
 */
@NullMarked
package io.offhook.packet;

import org.jspecify.annotations.NullMarked;
