/** RTP and RTCP views, stream statistics, the E-model and DTMF; no I/O. */
@NullMarked
package io.offhook.rtp;

import org.jspecify.annotations.NullMarked;
