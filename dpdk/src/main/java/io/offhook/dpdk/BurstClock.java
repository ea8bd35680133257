package io.offhook.dpdk;

import java.time.Instant;

/**
 * The time of day for each burst, without an object each: the JVM's steady clock, set by the wall clock once a second. So a
 * wall clock that is set is followed within a second, and time may go back then.
 */
final class BurstClock {
    private static final long SET_EVERY_NS = 1_000_000_000L;

    private long setAtNs;
    private long wallNs;

    BurstClock() {
        set(System.nanoTime());
    }

    private void set(long nowNs) {
        Instant now = Instant.now();
        wallNs = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        setAtNs = nowNs;
    }

    /** Nanoseconds since the epoch. */
    long nowNs() {
        long nowNs = System.nanoTime();
        if (nowNs - setAtNs > SET_EVERY_NS) {
            set(nowNs);
        }
        return wallNs + (nowNs - setAtNs);
    }
}
