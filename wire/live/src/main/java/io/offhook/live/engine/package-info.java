/**
 * What the capture backends share and users do not need: {@link io.offhook.live.engine.IfPacket} is the kernel's layout
 * of packet sockets and their rings; {@link io.offhook.live.engine.KernelFilter} compiles a filter for the kernel;
 * {@link io.offhook.live.engine.PromiscuousMode} switches an interface to promiscuous mode; {@link
 * io.offhook.live.engine.Count} is a counter with one writer.
 */
@NullMarked
package io.offhook.live.engine;

import org.jspecify.annotations.NullMarked;
