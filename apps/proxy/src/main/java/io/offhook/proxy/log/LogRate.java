package io.offhook.proxy.log;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * At most so many messages in each second, so that a flood from the network does not become a flood on the disk. A second
 * and its count share one word, so that threads need no lock.
 */
final class LogRate {
    private static final int COUNT_BITS = 24;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

    private final int perSecond;
    private final AtomicLong secondAndCount = new AtomicLong();
    private final LongAdder refused = new LongAdder();

    LogRate(int perSecond) {
        this.perSecond = perSecond;
    }

    boolean allows(long nowMs) {
        long second = Math.floorDiv(nowMs, 1000L);
        while (true) {
            long before = secondAndCount.get();
            long count = before >>> COUNT_BITS == second ? before & COUNT_MASK : 0;
            if (count >= perSecond) {
                refused.increment();
                return false;
            }
            if (secondAndCount.compareAndSet(before, second << COUNT_BITS | count + 1)) {
                return true;
            }
        }
    }

    int perSecond() {
        return perSecond;
    }

    long refused() {
        return refused.sum();
    }
}
