/**
 * The probe: what an analysis sees, as events. {@link io.offhook.cluster.probe.Probe} is a sink beside the calls of an {@code
 * io.offhook.analysis.Analysis}; it writes SIP as it was captured, figures of streams and RTCP as the calls have counted them,
 * ICMP errors and reports of others, and at the end what the capture has lost. Events go to an {@link
 * io.offhook.cluster.probe.EventSink}: a file, or the spool. What a sink refuses is counted and announced.
 */
@NullMarked
package io.offhook.cluster.probe;

import org.jspecify.annotations.NullMarked;
