/**
 * RTP, RTCP and what they tell of a call. {@link io.offhook.rtp.RtpView} and {@link io.offhook.rtp.RtcpReader} read
 * packets in place, and recognise them by content; {@link io.offhook.rtp.RtpStream} takes the packets of one stream and
 * counts losses, jitter and key presses, {@link io.offhook.rtp.WiresharkStream} the same by Wireshark's rules; {@link
 * io.offhook.rtp.RtcpReports} keeps what the far end says. {@link io.offhook.rtp.EModel} makes a rating of a stream. No
 * I/O, no clock, no threads: the figures are a function of the packets.
 */
@NullMarked
package io.offhook.rtp;

import org.jspecify.annotations.NullMarked;
