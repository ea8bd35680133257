package io.offhook.monitor;

/**
 * A time in which a JVM stopped all its threads.
 *
 * @param startNs its begin, nanoseconds since the epoch
 * @param durationNs how long it took, in nanoseconds
 * @param kind what for
 * @param cause what the JVM calls it, such as {@code G1 Evacuation Pause} or {@code HandshakeAllThreads}
 */
public record Pause(long startNs, long durationNs, Kind kind, String cause) {
    /** What threads were stopped for. */
    public enum Kind {
        /** For the garbage collector. */
        GC,
        /** For something else, such as a dump of threads: also for those that this watch asks for. */
        SAFEPOINT
    }
}
