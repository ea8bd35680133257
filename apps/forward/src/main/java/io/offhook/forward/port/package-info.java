/**
 * Kinds of port: {@link io.offhook.forward.port.PacketSocketPort} (AF_PACKET), {@link io.offhook.forward.port.XdpPort}
 * (AF_XDP), {@link io.offhook.forward.port.DpdkPort}, and {@link io.offhook.forward.port.MemoryPort}, which needs no
 * interface, for tests and benchmarks.
 */
@NullMarked
package io.offhook.forward.port;

import org.jspecify.annotations.NullMarked;
