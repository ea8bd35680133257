/**
 * The events that feed the machines of calls: SIP and RTCP packets, ICMP errors, media reports, and the {@link
 * io.offhook.calls.event.TrafficSink} that receives them, with rows of RTP, round by round. Each event carries its time
 * and its place in the capture; nothing here reads a packet.
 */
@NullMarked
package io.offhook.calls.event;

import org.jspecify.annotations.NullMarked;
