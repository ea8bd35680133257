package io.offhook.live;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The time of day in nanoseconds, for frames without a timestamp. It is synchronised with the system clock once a
 * second, so that a query otherwise allocates nothing, and never goes back unless the system clock was set back by a
 * second or more. Not for measuring durations. One thread at a time.
 */
public final class WallClock {
    private static final long SECOND_NS = 1_000_000_000L;

    private final LongSupplier running;
    private final LongSupplier timeOfDay;
    /** The nanoseconds to add to the running time of the machine. */
    private long differenceNs;

    private long setNs;
    private long lastNs;

    /** Creates a clock with the current time of day. */
    public WallClock() {
        this(System::nanoTime, WallClock::kernelNs);
    }

    /** @param running nanoseconds of a clock that is never set */
    WallClock(LongSupplier running, LongSupplier timeOfDay) {
        this.running = running;
        this.timeOfDay = timeOfDay;
        set(running.getAsLong());
    }

    /**
     * Returns the time of the clock that the kernel stamps packets with; it may be set back. Any thread may call it.
     */
    public static long kernelNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * SECOND_NS + now.getNano();
    }

    private void set(long runningNs) {
        differenceNs = timeOfDay.getAsLong() - runningNs;
        setNs = runningNs;
    }

    /** Returns the time in nanoseconds since the epoch. */
    public long nowNs() {
        long runningNs = running.getAsLong();
        if (runningNs - setNs > SECOND_NS) {
            set(runningNs);
        }
        long nowNs = runningNs + differenceNs;
        // a small step back is waited out; after one of an hour, frames would have the same time for an hour
        if (nowNs > lastNs || lastNs - nowNs >= SECOND_NS) {
            lastNs = nowNs;
        }
        return lastNs;
    }
}
