package io.offhook.proxy.routing;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What is known of the members of a group: by OPTIONS, by how calls ended, and by their Retry-After. A pure machine: it says
 * through a {@link Prober} when an OPTIONS is to be sent, and is given the answers.
 *
 * <p>Thread-safe. Whether a member is usable is read without a lock; so is that a call to a healthy member succeeded.
 */
public final class GroupHealth {
    /** Sends OPTIONS. */
    @FunctionalInterface
    public interface Prober {
        /**
         * Sends an OPTIONS to a member, whose result goes to {@link #answered}.
         *
         * @param member the index of the member
         * @param attempt a number to be given back with the result
         */
        void options(int member, int attempt);
    }

    /** Whether a member gets calls. */
    public enum State {
        /** It gets calls. */
        USABLE,
        /** It did not answer OPTIONS, or not as it should. */
        DOWN,
        /** Calls to it failed; it gets none for a time. */
        BACK_OFF,
        /** It has asked to be left alone for a time (Retry-After of a 503; RFC 3261, 21.5.4). */
        RETRY_AFTER
    }

    private static final int MOST_DOUBLINGS = 30;
    private static final long NEVER = Long.MIN_VALUE;

    private final HealthConfig config;
    private final int members;

    private final AtomicIntegerArray isDown;
    private final AtomicIntegerArray failedCalls;
    private final AtomicLongArray backOffEndMs;
    private final AtomicLongArray retryEndMs;

    private final long[] nextMs;
    private final long[] deadlineMs;
    private final int[] attempt;
    private final int[] failures;
    private final int[] successes;
    private boolean hasBegun;

    /**
     * Creates the state of a group of which nothing is known: all members are usable.
     *
     * @param config how the members are watched
     * @param members how many there are
     */
    public GroupHealth(HealthConfig config, int members) {
        this.config = config;
        this.members = members;
        isDown = new AtomicIntegerArray(members);
        failedCalls = new AtomicIntegerArray(members);
        backOffEndMs = new AtomicLongArray(members);
        retryEndMs = new AtomicLongArray(members);
        nextMs = new long[members];
        deadlineMs = new long[members];
        attempt = new int[members];
        failures = new int[members];
        successes = new int[members];
        Arrays.fill(deadlineMs, NEVER);
        for (int i = 0; i < members; i++) {
            backOffEndMs.set(i, NEVER);
            retryEndMs.set(i, NEVER);
        }
    }

    /** Takes over what another state knows of a member. */
    synchronized void inherit(int member, GroupHealth before, int memberBefore) {
        synchronized (before) {
            isDown.set(member, before.isDown.get(memberBefore));
            failedCalls.set(member, before.failedCalls.get(memberBefore));
            backOffEndMs.set(member, before.backOffEndMs.get(memberBefore));
            retryEndMs.set(member, before.retryEndMs.get(memberBefore));
            failures[member] = before.failures[memberBefore];
            successes[member] = before.successes[memberBefore];
            if (config.options().intervalMs() == 0) {
                isDown.set(member, 0); // nothing would find out that it is up again
            }
        }
    }

    // ---- OPTIONS

    /**
     * Sends the OPTIONS that are due, and counts those that were not answered in time.
     *
     * @param nowMs the time, from any origin, in ms
     * @param prober sends them
     * @return when to call again; {@link Long#MAX_VALUE} if no OPTIONS are sent at all
     */
    public long tick(long nowMs, Prober prober) {
        if (config.options().intervalMs() == 0) {
            return Long.MAX_VALUE;
        }
        boolean[] isDue = new boolean[members];
        int[] attempts = new int[members];
        long next = Long.MAX_VALUE;
        synchronized (this) {
            begin(nowMs);
            for (int i = 0; i < members; i++) {
                if (deadlineMs[i] != NEVER && nowMs >= deadlineMs[i]) {
                    result(i, false);
                }
                if (nowMs >= nextMs[i]) {
                    isDue[i] = true;
                    attempts[i] = ++attempt[i];
                    deadlineMs[i] = nowMs + config.options().timeoutMs();
                    nextMs[i] = nowMs + config.options().intervalMs();
                }
                next = Math.min(next, deadlineMs[i] == NEVER ? nextMs[i] : Math.min(nextMs[i], deadlineMs[i]));
            }
        }
        for (int i = 0; i < members; i++) { // without the lock: it may answer at once
            if (isDue[i]) {
                prober.options(i, attempts[i]);
            }
        }
        return next;
    }

    /** The first OPTIONS are spread over the interval, so that they do not all leave at the same time. */
    private void begin(long nowMs) {
        if (!hasBegun) {
            hasBegun = true;
            for (int i = 0; i < members; i++) {
                nextMs[i] = nowMs + i * config.options().intervalMs() / members;
            }
        }
    }

    /**
     * Takes the result of an OPTIONS. One that comes after its time counts no more.
     *
     * @param member the index of the member
     * @param ofAttempt the number that {@link Prober#options} was given
     * @param status the final status; 0 for a transport error
     */
    public synchronized void answered(int member, int ofAttempt, int status) {
        if (deadlineMs[member] != NEVER && attempt[member] == ofAttempt) {
            result(member, config.options().alive().contains(status));
        }
    }

    private void result(int member, boolean isAlive) {
        deadlineMs[member] = NEVER;
        successes[member] = isAlive ? successes[member] + 1 : 0;
        failures[member] = isAlive ? 0 : failures[member] + 1;
        if (successes[member] >= config.options().upAfter()) {
            isDown.set(member, 0);
        } else if (failures[member] >= config.options().downAfter()) {
            isDown.set(member, 1);
        }
    }

    // ---- calls

    /** A request to a member got an answer that shows it at work: any but 408 and 503. */
    public void succeeded(int member) {
        if (failedCalls.get(member) != 0) {
            failedCalls.set(member, 0);
        }
    }

    /**
     * A request to a member failed: 408 or 503, a transport error, or silence.
     *
     * @param member the index of the member
     * @param retryAfterS the Retry-After of a 503, in seconds; 0 if there is none
     * @param nowMs the time in ms
     */
    public synchronized void failed(int member, long retryAfterS, long nowMs) {
        HealthConfig.Passive rules = config.passive();
        long retryMs = Math.min(Math.max(retryAfterS, 0), Integer.MAX_VALUE) * 1000;
        if (retryMs > 0 && rules.retryAfterMostMs() > 0) {
            long endMs = nowMs + Math.min(retryMs, rules.retryAfterMostMs());
            retryEndMs.set(member, Math.max(endMs, retryEndMs.get(member)));
        }
        if (nowMs < backOffEndMs.get(member)) {
            return; // calls that were under way already
        }
        int count = failedCalls.get(member) + 1;
        failedCalls.set(member, count);
        if (rules.failures() > 0 && count >= rules.failures()) {
            int doublings = Math.min(count - rules.failures(), MOST_DOUBLINGS);
            backOffEndMs.set(member, nowMs + Math.min(rules.backOffFirstMs() << doublings, rules.backOffMostMs()));
        }
    }

    /** Whether a member gets calls. */
    public State state(int member, long nowMs) {
        if (nowMs < retryEndMs.get(member)) {
            return State.RETRY_AFTER;
        }
        if (isDown.get(member) != 0) {
            return State.DOWN;
        }
        return nowMs < backOffEndMs.get(member) ? State.BACK_OFF : State.USABLE;
    }

    /** When the Retry-After of a member ends, in ms; in the past if it has none. */
    long retryEndMs(int member) {
        return retryEndMs.get(member);
    }
}
