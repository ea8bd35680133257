/**
 * TCP streams in order. {@link io.offhook.flow.tcp.TcpStreams} takes segments and reports the bytes of each direction,
 * in order and with the holes, to a {@link io.offhook.flow.tcp.TcpStreamHandler}; {@link
 * io.offhook.flow.tcp.StreamWindows} retains bytes that a reader cannot use yet; {@link
 * io.offhook.flow.tcp.TcpAnalysis} detects retransmissions and measures round trips.
 */
@NullMarked
package io.offhook.flow.tcp;

import org.jspecify.annotations.NullMarked;
