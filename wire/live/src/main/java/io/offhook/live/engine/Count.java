package io.offhook.live.engine;

import java.util.concurrent.atomic.AtomicLong;

/** A number that one thread adds to, without a locked instruction, and any thread reads. */
public final class Count {
    private final AtomicLong value = new AtomicLong();

    /** Creates a count of 0. */
    public Count() {}

    /** Adds a number to it; to be called by one thread only. */
    public void add(long more) {
        value.setRelease(value.getPlain() + more);
    }

    /** Returns the number as it is now; any thread may call it. */
    public long get() {
        return value.getAcquire();
    }
}
