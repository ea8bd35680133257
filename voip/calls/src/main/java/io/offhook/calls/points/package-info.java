/**
 * Compares captures of the same traffic at several points. {@link io.offhook.calls.points.PointAnalysis} takes what was seen
 * at each {@link io.offhook.calls.points.CapturePoint} and finds the streams and SIP messages that several have; from
 * these it estimates how the clocks differ ({@link io.offhook.calls.points.ClockLine}), in which order the points are
 * passed, and what was lost before, between and after them ({@link io.offhook.calls.points.PointsReport}). {@link
 * io.offhook.calls.points.PointComparison} does so for one stream at two points, whose packets {@link
 * io.offhook.calls.relay.PacketPairs} pairs: by number and timestamp, or by payload where a host between the points sends
 * it as a stream of its own.
 */
@NullMarked
package io.offhook.calls.points;

import org.jspecify.annotations.NullMarked;
