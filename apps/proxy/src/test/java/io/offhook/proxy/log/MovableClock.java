package io.offhook.proxy.log;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test moves. */
final class MovableClock implements InstantSource {
    private volatile long nowMs = 1_800_000_000_000L;

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(nowMs);
    }

    synchronized void forward(long ms) {
        nowMs += ms;
    }
}
