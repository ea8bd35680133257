/**
 * RTP and RTCP, and stream statistics. {@link io.offhook.rtp.RtpView} and {@link io.offhook.rtp.RtcpReader} read
 * packets in place, and recognise them by content. {@link io.offhook.rtp.RtpStream} takes the packets of one stream and
 * measures loss, jitter and key presses; {@link io.offhook.rtp.WiresharkStream} does so by Wireshark's rules.
 * {@link io.offhook.rtp.RtcpReports} keeps the reports of the far end, and {@link io.offhook.rtp.quality.EModel} rates a
 * stream. No I/O, no clock, no threads: results depend on the packets only.
 */
@NullMarked
package io.offhook.rtp;

import org.jspecify.annotations.NullMarked;
