/**
 * Decodes the layers of a frame, in place and without allocation. {@link io.offhook.packet.walk.PacketWalker} lists the
 * layers of a frame and wraps views around them; {@link io.offhook.packet.walk.LayerHandlers} calls a handler for each
 * layer; {@link io.offhook.packet.walk.IcmpError} reads the packet that an ICMP error quotes.
 */
@NullMarked
package io.offhook.packet.walk;

import org.jspecify.annotations.NullMarked;
