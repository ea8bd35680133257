/**
 * Which frames belong to calls, for {@code CallFrames} of the package above: {@link io.offhook.analysis.frames.CallMatch} finds
 * the calls of messages, media, RTCP and ICMP errors by what an analysis found; the other classes remember numbers of frames.
 * Internal.
 */
@NullMarked
package io.offhook.analysis.frames;

import org.jspecify.annotations.NullMarked;
