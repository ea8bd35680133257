package io.offhook.calls.points;

/**
 * A clock that was set while its capture ran. Times after it are taken as if it had not been.
 *
 * @param beforeNs the time at which it was set, by the clock as it was before, nanoseconds since the epoch
 * @param byNs by how much it was set forward; negative if it was set back
 */
public record ClockStep(long beforeNs, long byNs) {}
