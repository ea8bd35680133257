/**
 * Compares the same media stream at two points of capture: {@link io.offhook.calls.points.PointPackets} keeps the packets of
 * one point, {@link io.offhook.calls.points.PointComparison} matches two such lists by sequence number and timestamp and
 * counts what was lost before, between and by the capture, and {@link io.offhook.calls.points.ClockEstimate} finds how the
 * clocks of the two captures differ. Streams whose SSRC, numbers or timestamps were rewritten are not matched.
 */
@NullMarked
package io.offhook.calls.points;

import org.jspecify.annotations.NullMarked;
