package io.offhook.flow.table;

import io.offhook.flow.state.Require;

/**
 * The limits of a {@link FlowTable}.
 *
 * @param flows the most flows at a time, 1 to 2^24; if the table is full, the flow that has been idle the longest is
 *     evicted. A flow takes about 300 bytes, a TCP flow 1,500
 * @param idleTimeoutNs a flow ends if it has no packet for longer than this, in nanoseconds of packet time, 1 or more
 * @param hardTimeoutNs a flow that lasts longer than this ends and its next packet starts a new one, in nanoseconds of
 *     packet time, 1 or more; {@link Long#MAX_VALUE} for never
 */
public record FlowLimits(int flows, long idleTimeoutNs, long hardTimeoutNs) {

    /** 262,144 flows, 10 minutes, no hard timeout. */
    public static final FlowLimits DEFAULT = new FlowLimits(1 << 18, 600_000_000_000L, Long.MAX_VALUE);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the limit that is out of range, its value and its range
     */
    public FlowLimits {
        Require.inRange("flows", flows, 1, 1 << 24);
        Require.inRange("idleTimeoutNs", idleTimeoutNs, 1, Long.MAX_VALUE);
        Require.inRange("hardTimeoutNs", hardTimeoutNs, 1, Long.MAX_VALUE);
    }
}
