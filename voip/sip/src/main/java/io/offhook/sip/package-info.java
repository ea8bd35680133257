/**
 * SIP messages, SDP and WebSocket frames. No I/O and no call state.
 *
 * <p>Datagrams that {@link io.offhook.sip.SipRecognizer} accepts are wrapped by {@link io.offhook.sip.SipMessageView}.
 * The bytes of a TCP connection go through one {@link io.offhook.sip.SipStream} per direction, which passes on messages
 * to be wrapped likewise. {@link io.offhook.sip.SessionDescription} and {@link io.offhook.sip.SipUri} are owned, for
 * keeping. Text is read in arrays: bytes in native memory are copied first, to an array that the reader reuses. Views
 * are reused and single-threaded.
 */
@NullMarked
package io.offhook.sip;

import org.jspecify.annotations.NullMarked;
