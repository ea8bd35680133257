/**
 * Offhook as a HEP agent: {@link io.offhook.analysis.hep.HepExport} receives the traffic of an analysis, beside the machines that
 * make calls of it, and sends SIP, RTCP and figures of streams to a collector by the sender of the module {@code hep}.
 */
@NullMarked
package io.offhook.analysis.hep;

import org.jspecify.annotations.NullMarked;
