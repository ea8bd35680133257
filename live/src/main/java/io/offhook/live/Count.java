package io.offhook.live;

import java.util.concurrent.atomic.AtomicLong;

/** A number that one thread adds to, without a locked instruction, and any thread reads. */
final class Count {
    private final AtomicLong value = new AtomicLong();

    void add(long more) {
        value.setRelease(value.getPlain() + more);
    }

    long get() {
        return value.getAcquire();
    }
}
