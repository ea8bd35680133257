package io.offhook.flow;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What a piece of work allocates once it is warm. */
public final class AllocatedBytes {
    /** Asking for the figure may itself allocate a little; a thousand packets may not add to it. */
    public static final long OF_ASKING = 1000;

    private static final int WARMING = 30;
    private static final int ATTEMPTS = 10;

    /** How often the work is done. */
    public static final int RUNS = WARMING + ATTEMPTS;

    private AllocatedBytes() {}

    /**
     * The least that this thread allocated in one of several attempts, each after the others: while code is compiled, and
     * tables grow, an attempt may allocate; what allocates for each packet does so in all.
     */
    public static long leastOf(Runnable packets) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARMING; i++) {
            packets.run();
        }
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            packets.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
