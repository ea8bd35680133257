package io.offhook.proxy.tap;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time of day with the steps of a steady clock: that of day is read once a second, as reading it for each message would
 * cost more and make an object. Of one thread.
 */
final class EpochTime {
    private static final long SECOND_NS = 1_000_000_000L;

    private final InstantSource clock;
    private final LongSupplier steadyNs;
    private long offsetNs;
    private long readNs;

    EpochTime(InstantSource clock, LongSupplier steadyNs) {
        this.clock = clock;
        this.steadyNs = steadyNs;
        read(steadyNs.getAsLong());
    }

    /** Nanoseconds since 1970. */
    long nowNs() {
        long now = steadyNs.getAsLong();
        if (now - readNs >= SECOND_NS) {
            read(now);
        }
        return now + offsetNs;
    }

    private void read(long now) {
        Instant instant = clock.instant();
        offsetNs = instant.getEpochSecond() * SECOND_NS + instant.getNano() - now;
        readNs = now;
    }
}
