/**
 * AF_XDP. {@link io.offhook.live.xdp.XdpSource} captures frames before the stack of this machine receives them, and
 * takes them away from it; {@link io.offhook.live.xdp.XdpSocket} below it also sends; {@link
 * io.offhook.live.xdp.XdpRedirect} is the program that decides which frames are taken.
 */
@NullMarked
package io.offhook.live.xdp;

import org.jspecify.annotations.NullMarked;
