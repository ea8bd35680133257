/**
 * Pure machines that turn SIP and RTP events into calls; no I/O, no clock, no threads.
 *
 * <p>{@link io.offhook.calls.CallTable} takes SIP packets and keeps dialogs by Call-ID; what their SDP announces becomes
 * {@code MediaBindings}. {@link io.offhook.calls.StreamTable} takes RTP and keeps a {@code MediaStream} for each stream.
 * At the end {@code StreamBinder} finds each stream its call, and {@link io.offhook.calls.CallReports} makes a {@link
 * io.offhook.calls.CallReport} of each.
 */
@NullMarked
package io.offhook.calls;

import org.jspecify.annotations.NullMarked;
