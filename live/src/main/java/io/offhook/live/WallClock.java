package io.offhook.live;

import java.time.Instant;

/**
 * The time of day in nanoseconds, for frames that nobody has stamped: never earlier than it was before, and set right each
 * second, so that asking allocates nothing else. One thread at a time.
 */
public final class WallClock {
    private static final long SECOND_NS = 1_000_000_000L;

    /** What is to be added to the machine's running time. */
    private long differenceNs;

    private long setNs;
    private long lastNs;

    /** One that stands at the time of day of now. */
    public WallClock() {
        set(System.nanoTime());
    }

    /** By the clock that the kernel stamps packets with, as it stands: it may be set back. Any thread may ask. */
    static long kernelNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * SECOND_NS + now.getNano();
    }

    private void set(long runningNs) {
        differenceNs = kernelNs() - runningNs;
        setNs = runningNs;
    }

    /** Nanoseconds since the epoch. */
    public long nowNs() {
        long runningNs = System.nanoTime();
        if (runningNs - setNs > SECOND_NS) {
            set(runningNs);
        }
        lastNs = Math.max(lastNs, runningNs + differenceNs);
        return lastNs;
    }
}
