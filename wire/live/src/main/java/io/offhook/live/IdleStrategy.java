package io.offhook.live;

import java.util.concurrent.locks.LockSupport;

/**
 * What a thread does while it has no work: a trade of latency against processor time. Stateless; the caller counts the
 * idle rounds.
 *
 * <pre>{@code
 * idle = work() > 0 ? 0 : strategy.idle(idle);
 * }</pre>
 */
@SuppressWarnings("ThreadPriorityCheck") // yielding is the requested behaviour
public enum IdleStrategy {
    /** Never yields its processor. For threads that have one to themselves. */
    SPIN,
    /** Yields to other threads that wait for its processor. */
    YIELD,
    /** Sleeps after a while: costs nothing on an idle network, and notices work up to a millisecond late. */
    PARK;

    private static final int SPINS = 100;
    private static final int YIELDS = 100;
    private static final long SHORTEST_PARK_NS = 10_000;
    private static final long LONGEST_PARK_NS = 1_000_000;
    /** A parked thread is late by the kernel's timer slack, 50 µs, and by what waking up takes. */
    private static final long EARLY_NS = 120_000;
    /** The longest sleep of a thread that waits for a deadline, after which it checks whether to continue. */
    private static final long LONGEST_WAIT_NS = 50_000_000;

    /**
     * Waits a moment after a round without work.
     *
     * @param rounds the number of consecutive rounds without work before this one
     * @return {@code rounds + 1}
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
     * Waits for a part of the time left until a deadline, never longer: {@link #PARK} sleeps while it is far, for at
     * most 50 ms, and spins when it is near. To be called again until the deadline.
     *
     * @param leftNs nanoseconds until the deadline
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
