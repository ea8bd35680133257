/** SIP messages, SDP and WebSocket frames, indexed over bytes; no I/O. */
@NullMarked
package io.offhook.sip;

import org.jspecify.annotations.NullMarked;
