package io.offhook.live.replay;

import io.offhook.live.IdleStrategy;

/**
 * How to send captured frames again.
 *
 * @param speed the speed
 * @param passes the number of passes; 0 for no limit
 * @param frames the most frames to send, over all passes; 0 for no limit
 * @param durationNs the longest duration in nanoseconds; 0 for no limit
 * @param isPadded whether to pad snapped frames with zeros; otherwise they are left out
 * @param idleStrategy what the thread does between frames
 */
public record ReplayOptions(
        ReplaySpeed speed, long passes, long frames, long durationNs, boolean isPadded, IdleStrategy idleStrategy) {
    /** Checks the ranges. */
    public ReplayOptions {
        check("passes", passes);
        check("frames", frames);
        check("durationNs", durationNs);
    }

    private static void check(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " " + value + " is below 0");
        }
    }

    /** Creates options for one pass over all frames that were captured whole. */
    public static ReplayOptions of(ReplaySpeed speed) {
        return new ReplayOptions(speed, 1, 0, 0, false, IdleStrategy.PARK);
    }
}
