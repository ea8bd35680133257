package io.offhook.live;

import java.util.concurrent.locks.LockSupport;

/**
 * What a thread does while it has nothing to do: how soon it notices that it has, against what it costs. Stateless; the
 * caller counts.
 *
 * <pre>{@code
 * idle = work() > 0 ? 0 : strategy.idle(idle);
 * }</pre>
 */
@SuppressWarnings("ThreadPriorityCheck") // to yield is what was asked for
public enum IdleStrategy {
    /** Never gives its processor away. For threads that have one of their own. */
    SPIN,
    /** Lets other threads that wait for its processor go first. */
    YIELD,
    /** Sleeps, after a while: costs nothing on an idle network, and notices up to a millisecond late. */
    PARK;

    private static final int SPINS = 100;
    private static final int YIELDS = 100;
    private static final long SHORTEST_PARK_NS = 10_000;
    private static final long LONGEST_PARK_NS = 1_000_000;
    /** A parked thread is late by the kernel's timer slack, 50 µs, and by what waking up takes. */
    private static final long EARLY_NS = 120_000;
    /** A thread that waits for a time looks now and then whether it is to go on waiting. */
    private static final long LONGEST_WAIT_NS = 50_000_000;

    /**
     * Passes a moment after a round in which there was nothing to do.
     *
     * @param rounds how many such rounds there were before this one, in a row
     * @return one more
     */
    public int idle(int rounds) {
        if (this == SPIN || rounds < SPINS) {
            Thread.onSpinWait();
        } else if (this == YIELD || rounds < SPINS + YIELDS) {
            Thread.yield();
        } else {
            int doublings = Math.min(rounds - SPINS - YIELDS, 16);
            LockSupport.parkNanos(Math.min(SHORTEST_PARK_NS << doublings, LONGEST_PARK_NS));
        }
        return rounds == Integer.MAX_VALUE ? rounds : rounds + 1;
    }

    /**
     * Passes some of the time up to a moment, never more: {@link #PARK} sleeps while it is far, 50 ms at the most, and spins
     * when it is near. To be called again until the moment has come.
     *
     * @param leftNs nanoseconds up to it
     */
    public void await(long leftNs) {
        if (this == PARK && leftNs > EARLY_NS) {
            LockSupport.parkNanos(Math.min(leftNs - EARLY_NS, LONGEST_WAIT_NS));
        } else if (this == YIELD) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
