/** Pure machines that turn SIP and RTP events into calls; no I/O, no clock. */
@NullMarked
package io.offhook.calls;

import org.jspecify.annotations.NullMarked;
