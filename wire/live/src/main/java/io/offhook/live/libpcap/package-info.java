/**
 * Capture by the libpcap that is installed, for what the other backends do not know: monitor mode, the device {@code
 * any}, USB, Bluetooth. {@link io.offhook.live.libpcap.LibpcapSource} captures, {@link
 * io.offhook.live.libpcap.LibpcapInterface} lists what libpcap finds. Frames are copied, as libpcap lends them for one
 * call only.
 */
@NullMarked
package io.offhook.live.libpcap;

import org.jspecify.annotations.NullMarked;
