/**
 * Keys that are pressed in the audio itself: dual-tone multi-frequency signals (ITU-T Q.23) in G.711.
 *
 * <p>{@link io.offhook.rtp.tones.AudioKeys} takes the packets of one stream, {@link io.offhook.rtp.tones.G711} makes
 * samples of them, and {@link io.offhook.rtp.tones.ToneDetector} finds the {@linkplain io.offhook.rtp.tones.ToneKey keys}
 * within the limits of ITU-T Q.24. Telephone events (RFC 4733) are no audio; {@link io.offhook.rtp.RtpStream} has them.
 */
@NullMarked
package io.offhook.rtp.tones;

import org.jspecify.annotations.NullMarked;
