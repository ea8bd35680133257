package io.offhook.monitor.xray;

/**
 * A part of a gap with one cause.
 *
 * @param fromNs its begin, nanoseconds since the epoch
 * @param toNs its end
 * @param cause the cause
 * @param what what there is to say of it, such as the lock and its owner, the thread, or what the JVM calls the pause; empty if nothing
 */
public record Slice(long fromNs, long toNs, Cause cause, String what) {
    /** Its length in nanoseconds. */
    public long ns() {
        return toNs - fromNs;
    }
}
