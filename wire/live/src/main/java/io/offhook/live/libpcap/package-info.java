/**
 * Capture with the installed libpcap, for what the other backends do not support: monitor mode, the device {@code any},
 * USB, Bluetooth. {@link io.offhook.live.libpcap.LibpcapSource} captures, {@link
 * io.offhook.live.libpcap.LibpcapInterface} lists what libpcap finds. Frames are copied, because libpcap lends them
 * only until the next call.
 */
@NullMarked
package io.offhook.live.libpcap;

import org.jspecify.annotations.NullMarked;
