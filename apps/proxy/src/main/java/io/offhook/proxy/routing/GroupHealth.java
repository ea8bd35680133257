package io.offhook.proxy.routing;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;

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
        RETRY_AFTER;

        /** The state as it is written: "back-off". */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * What became of the OPTIONS to a member.
     *
     * @param sent how many were sent
     * @param failed how many of them were not answered in time, or not as they should be
     * @param lastStatus the last answer; 0 if the last one was not answered, -1 if none has a result yet
     */
    public record Questions(long sent, long failed, int lastStatus) {}

    private static final int MOST_DOUBLINGS = 30;
    private static final int UNKNOWN = -1;
    /** The part of an interval by which one is longer than another, so that members do not get into step. */
    private static final int JITTER = 10;

    private static final long NEVER = Long.MIN_VALUE;

    private final HealthConfig config;
    private final int members;
    private final RandomGenerator random;

    private final AtomicIntegerArray isDown;
    private final AtomicIntegerArray failedCalls;
    private final AtomicLongArray backOffEndMs;
    private final AtomicLongArray retryEndMs;

    private final long[] nextMs;
    private final long[] deadlineMs;
    private final int[] attempt;
    private final int[] failures;
    private final int[] successes;
    private final long[] sent;
    private final long[] unanswered;
    private final int[] lastStatus;

    /**
     * Creates the state of a group of which nothing is known: all members are usable.
     *
     * @param config how the members are watched
     * @param members how many there are
     * @param random makes intervals differ
     */
    public GroupHealth(HealthConfig config, int members, RandomGenerator random) {
        this.config = config;
        this.members = members;
        this.random = random;
        isDown = new AtomicIntegerArray(members);
        failedCalls = new AtomicIntegerArray(members);
        backOffEndMs = new AtomicLongArray(members);
        retryEndMs = new AtomicLongArray(members);
        nextMs = new long[members];
        deadlineMs = new long[members];
        attempt = new int[members];
        failures = new int[members];
        successes = new int[members];
        sent = new long[members];
        unanswered = new long[members];
        lastStatus = new int[members];
        Arrays.fill(nextMs, NEVER);
        Arrays.fill(deadlineMs, NEVER);
        Arrays.fill(lastStatus, UNKNOWN);
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
            sent[member] = before.sent[memberBefore];
            unanswered[member] = before.unanswered[memberBefore];
            lastStatus[member] = before.lastStatus[memberBefore];
            nextMs[member] = before.nextMs[memberBefore];
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
                    result(i, 0);
                }
                if (nowMs >= nextMs[i]) {
                    isDue[i] = true;
                    attempts[i] = ++attempt[i];
                    sent[i]++;
                    deadlineMs[i] = nowMs + config.options().timeoutMs();
                    nextMs[i] = nowMs
                            + config.options().intervalMs()
                            + jitter(config.options().intervalMs() / JITTER);
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

    /**
     * The first OPTIONS are spread over the interval, so that they do not all leave at the same time. A member that was asked
     * before a reload is asked when it would have been, if that is not later.
     */
    private void begin(long nowMs) {
        long interval = config.options().intervalMs();
        for (int i = 0; i < members; i++) {
            if (nextMs[i] == NEVER) {
                nextMs[i] = nowMs + i * interval / members + jitter(interval / members);
            }
            nextMs[i] = Math.min(nextMs[i], nowMs + interval + interval / JITTER);
        }
    }

    private long jitter(long bound) {
        return bound > 0 ? random.nextLong(bound) : 0;
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
            result(member, status);
        }
    }

    private void result(int member, int status) {
        boolean isAlive = config.options().alive().contains(status);
        deadlineMs[member] = NEVER;
        lastStatus[member] = status;
        unanswered[member] += isAlive ? 0 : 1;
        successes[member] = isAlive ? successes[member] + 1 : 0;
        failures[member] = isAlive ? 0 : failures[member] + 1;
        if (successes[member] >= config.options().upAfter()) {
            isDown.set(member, 0);
        } else if (failures[member] >= config.options().downAfter()) {
            isDown.set(member, 1);
        }
    }

    /** What became of the OPTIONS to a member. */
    public synchronized Questions questions(int member) {
        return new Questions(sent[member], unanswered[member], lastStatus[member]);
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

    /** When a member gets calls again, in ms, if a time is set for that; else 0. */
    public long endMs(int member, long nowMs) {
        return switch (state(member, nowMs)) {
            case RETRY_AFTER -> retryEndMs.get(member);
            case BACK_OFF -> backOffEndMs.get(member);
            case USABLE, DOWN -> 0;
        };
    }
}
