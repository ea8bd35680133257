/**
 * What the machines of calls are fed with: SIP and RTCP packets, ICMP errors, reports on media, and the {@link
 * io.offhook.calls.event.TrafficSink} that takes them, with rows of RTP, round by round.
 * Each event carries its time and its place in the capture; nothing here reads a packet.
 */
@NullMarked
package io.offhook.calls.event;

import org.jspecify.annotations.NullMarked;
