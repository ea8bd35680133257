/**
 * SIP messages, SDP and WebSocket frames; no I/O, no state of calls.
 *
 * <p>A datagram that {@link io.offhook.sip.SipRecognizer} takes for a message is wrapped by
 * {@link io.offhook.sip.SipMessageView}; the bytes of a TCP connection go through a {@link io.offhook.sip.SipStream} per
 * direction, which hands each message on to be wrapped likewise. A body's {@link io.offhook.sip.SessionDescription} and a
 * {@link io.offhook.sip.SipUri} are owned: what is to be kept. Text is read in arrays: what lies in native memory is
 * copied first, into an array that its reader uses again. Views are reused, each by one thread.
 */
@NullMarked
package io.offhook.sip;

import org.jspecify.annotations.NullMarked;
