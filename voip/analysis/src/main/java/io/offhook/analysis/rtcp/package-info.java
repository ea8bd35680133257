/**
 * RTCP that is encrypted (SRTCP, RFC 3711): {@link io.offhook.analysis.rtcp.RtcpOpener} opens it for one analysis, by keys that
 * the module {@code decrypt} finds in SDP or in files; {@link io.offhook.analysis.rtcp.OpenedRtcp} passes traffic on with what
 * was opened in its place.
 */
@NullMarked
package io.offhook.analysis.rtcp;

import org.jspecify.annotations.NullMarked;
