/**
 * Headers of tunnels: {@link io.offhook.packet.tunnel.GreView}, {@link io.offhook.packet.tunnel.VxlanView}, Geneve,
 * GTP, L2TP, ERSPAN, NSH, Teredo, CAPWAP. One view a protocol; the walker goes on behind them, so that the layers of a
 * tunnelled packet are listed like any others.
 */
@NullMarked
package io.offhook.packet.tunnel;

import org.jspecify.annotations.NullMarked;
