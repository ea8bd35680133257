/**
 * Streams and RTCP conversations as data: what the accessors of {@code RtpStream} and {@code RtcpReports} answer from, in
 * records of numbers, texts and lists, so that a stream that was counted on one machine can be reported on another. {@link
 * io.offhook.rtp.figures.StreamFigures} and {@link io.offhook.rtp.figures.ConversationFigures} are whole; {@link
 * io.offhook.rtp.figures.StreamUpdate} and {@link io.offhook.rtp.figures.ConversationUpdate} are what changed since the last
 * time. Counting cannot go on from figures. Everything is immutable; nothing here is checked, as whoever reads figures from a
 * network has to know what to do with odd ones.
 */
@NullMarked
package io.offhook.rtp.figures;

import org.jspecify.annotations.NullMarked;
