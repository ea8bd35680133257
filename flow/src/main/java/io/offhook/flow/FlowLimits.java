package io.offhook.flow;

/**
 * What a {@link FlowTable} may use.
 *
 * @param flows the most flows at a time, 1 to 2^24; the one that is longest without a packet gives way. A flow takes some
 *     300 bytes, one of TCP 1,500
 * @param idleTimeoutNs a flow ends when it has no packet for longer, in packet time, 1 or more
 * @param hardTimeoutNs a flow that lasts longer ends, and its next packet begins another, in packet time, 1 or more;
 *     {@link Long#MAX_VALUE} for never
 */
public record FlowLimits(int flows, long idleTimeoutNs, long hardTimeoutNs) {

    /** 262,144 flows, 10 minutes, no hard timeout. */
    public static final FlowLimits DEFAULT = new FlowLimits(1 << 18, 600_000_000_000L, Long.MAX_VALUE);

    /** Checks the ranges. */
    public FlowLimits {
        Require.inRange("flows", flows, 1, 1 << 24);
        Require.inRange("idleTimeoutNs", idleTimeoutNs, 1, Long.MAX_VALUE);
        Require.inRange("hardTimeoutNs", hardTimeoutNs, 1, Long.MAX_VALUE);
    }
}
