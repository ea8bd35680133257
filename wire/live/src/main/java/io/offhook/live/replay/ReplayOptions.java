package io.offhook.live.replay;

import io.offhook.live.IdleStrategy;

/**
 * How captured frames are sent again.
 *
 * @param speed how fast
 * @param passes how often from the beginning; 0 for as often as there is time
 * @param frames the most that are sent, all passes together; 0 for no limit
 * @param durationNs the longest that it takes, in nanoseconds; 0 for no limit
 * @param isPadded whether frames that were not captured whole are filled up with zeros; they are left out otherwise
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

    /** Once, all frames that were captured whole. */
    public static ReplayOptions of(ReplaySpeed speed) {
        return new ReplayOptions(speed, 1, 0, 0, false, IdleStrategy.PARK);
    }
}
