/**
 * SIP on connections, for programs that answer: {@link io.offhook.sip.stream.SipStreamFramer} finds the messages and
 * keep-alives in the bytes of a stream, strictly, so that two programs never disagree on where a message ends;
 * {@link io.offhook.sip.stream.StunKeepAlive} answers keep-alives in datagrams. Sans I/O. What was captured, and may be
 * damaged, is read by {@code SipStream} instead.
 */
@NullMarked
package io.offhook.sip.stream;

import org.jspecify.annotations.NullMarked;
