package io.offhook.calls.points;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import java.util.List;

/**
 * What was seen at one point: a capture and the report of it.
 *
 * @param fromNs the first packet of the capture, nanoseconds since the epoch
 * @param untilNs the last packet
 * @param calls in the order of their first packets
 * @param streams media that belongs to no call
 * @param messages the SIP messages
 */
public record CapturePoint(
        long fromNs, long untilNs, List<CallReport> calls, List<StreamReport> streams, PointMessages messages) {}
