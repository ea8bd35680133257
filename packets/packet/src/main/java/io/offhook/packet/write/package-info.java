/**
 * Writes new packets. {@link io.offhook.packet.write.PacketWriter} takes the layers, outermost first, and fills in
 * lengths and checksums at the end; {@link io.offhook.packet.write.TcpOptionWriter} writes the options of TCP.
 */
@NullMarked
package io.offhook.packet.write;

import org.jspecify.annotations.NullMarked;
