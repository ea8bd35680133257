/**
 * What a receiver's jitter buffer would have played of a stream, from arrival times and RTP timestamps alone:
 * {@link io.offhook.rtp.playout.JitterBuffer} is the setting, {@link io.offhook.rtp.playout.Playout} the buffer.
 */
@NullMarked
package io.offhook.rtp.playout;

import org.jspecify.annotations.NullMarked;
