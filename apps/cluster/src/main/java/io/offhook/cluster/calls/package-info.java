/**
 * Calls made of events, without an engine. {@link io.offhook.cluster.calls.CallEvents} holds events, of one call or of all, and
 * makes their reports with the machines of {@code offhook calls}, fed in the order of capture: what is kept are events, and the
 * machines are a function of them. {@link io.offhook.cluster.calls.CaptureEvents} holds what concerns the capture as a whole.
 * {@link io.offhook.cluster.calls.EventCalls} reads files of events into both.
 */
@NullMarked
package io.offhook.cluster.calls;

import org.jspecify.annotations.NullMarked;
