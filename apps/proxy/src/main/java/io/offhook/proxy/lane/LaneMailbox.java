package io.offhook.proxy.lane;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What other threads ask a lane to do: results of look-ups, messages from connections. Bounded; what is refused is counted. */
final class LaneMailbox {
    private final int limit;
    private final Queue<LaneTask> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder refused = new LongAdder();

    LaneMailbox(int limit) {
        this.limit = limit;
    }

    /** Adds a task; false, and counted, if the mailbox is full. Thread-safe. */
    boolean offer(LaneTask task) {
        if (count.incrementAndGet() > limit) {
            count.decrementAndGet();
            refused.increment();
            return false;
        }
        tasks.add(task);
        return true;
    }

    /** The next task; null if there is none. For the lane. */
    @Nullable
    LaneTask poll() {
        LaneTask task = tasks.poll();
        if (task != null) {
            count.decrementAndGet();
        }
        return task;
    }

    /** How many wait. */
    int size() {
        return Math.min(count.get(), limit);
    }

    int limit() {
        return limit;
    }

    long refused() {
        return refused.sum();
    }
}
