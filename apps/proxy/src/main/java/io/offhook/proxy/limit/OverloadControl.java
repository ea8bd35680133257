package io.offhook.proxy.limit;

/**
 * Decides which new requests are refused so that messages wait no longer than a target. One instance for each lane; its
 * input is how long each received message waited, from its arrival (the kernel's time stamp) to its processing.
 *
 * <p>A share of the new requests is refused. It follows the shortest wait of each interval of 20 ms, the standing queue, with
 * a proportional and an integral part, as PIE does (RFC 8033, 4.2): it grows while the wait is above the target or growing,
 * and falls while it is below or falling. Waits that are gone within 100 ms (a pause of the collector, a burst) refuse
 * nothing. A new request that itself has waited for more than ten targets is refused in any case, so that a queue that has
 * become long is emptied at the price of refusals. What belongs to something admitted is never refused.
 *
 * <p>Not thread-safe. Time is a parameter, from any origin.
 */
public final class OverloadControl {
    private static final long INTERVAL_NS = 20_000_000;
    /** How long a wait above the target is borne. */
    private static final int INTERVALS_BORNE = 5;

    private static final int HOPELESS_FACTOR = 10;
    /** Change of the share for each interval, per target by which the wait differs from it. */
    private static final double INTEGRAL = 0.006;
    /** Change of the share for each target by which the wait has grown. */
    private static final double PROPORTIONAL = 0.08;
    /** What is left of the share after an interval in which the queue was hardly half as long as it may be. */
    private static final double LEFT = 0.97;
    /** The most intervals without a message that are made up for: after them, nothing is refused anyway. */
    private static final int MOST_EMPTY_INTERVALS = 1000;

    private static final double MOST_SHARE = 0.98;

    private OverloadConfig config;
    private double share;
    private boolean hasBegun;
    private long intervalEndNs;
    private long shortestNs = Long.MAX_VALUE;
    private long lastNs;
    private int intervalsAbove;
    private long random;

    /**
     * Creates a control that refuses nothing yet.
     *
     * @param config the target
     * @param seed begins the random numbers by which requests and Retry-After are chosen
     */
    public OverloadControl(OverloadConfig config, long seed) {
        this.config = config;
        random = seed | 1;
    }

    /** Takes another target; the share stays. */
    public void reload(OverloadConfig after) {
        config = after;
    }

    /**
     * Takes the wait of a message; called for each received message, before {@link #admits}.
     *
     * @param waitNs how long it waited, in ns; less than 0 counts as 0
     * @param nowNs the time in ns
     */
    public void measured(long waitNs, long nowNs) {
        if (!hasBegun || nowNs - intervalEndNs >= 0) {
            advance(nowNs);
        }
        shortestNs = Math.min(shortestNs, Math.max(waitNs, 0));
    }

    /**
     * Decides whether a message is served.
     *
     * @param kind what it is
     * @param waitNs how long it waited
     * @return false if it is to be answered 503 with {@link #retryAfterS}, at the least cost
     */
    public boolean admits(RequestKind kind, long waitNs) {
        return kind == RequestKind.ONGOING || !isRefusing(waitNs) || !isHopeless(waitNs) && nextRandom() >= share;
    }

    /** Whether new requests that waited so long, in ns, are refused: all, or a share of them. */
    public boolean isRefusing(long waitNs) {
        return config.isEnabled() && (share > 0 || isHopeless(waitNs));
    }

    private boolean isHopeless(long waitNs) {
        return waitNs > HOPELESS_FACTOR * config.targetNs();
    }

    /** The Retry-After of the next refusal, in seconds. */
    public int retryAfterS() {
        int range = config.retryAfterMostS() - config.retryAfterLeastS() + 1;
        return config.retryAfterLeastS() + (int) (nextRandom() * range);
    }

    /** The share of new requests that is refused, 0 to 1. */
    public double share() {
        return share;
    }

    private void advance(long nowNs) {
        if (!hasBegun) {
            hasBegun = true;
            intervalEndNs = nowNs + INTERVAL_NS;
            return;
        }
        long ended = (nowNs - intervalEndNs) / INTERVAL_NS + 1;
        adjust(shortestNs == Long.MAX_VALUE ? 0 : shortestNs);
        for (long i = 1, empty = Math.min(ended, MOST_EMPTY_INTERVALS); i < empty; i++) {
            adjust(0);
        }
        shortestNs = Long.MAX_VALUE;
        intervalEndNs += ended * INTERVAL_NS;
    }

    private void adjust(long waitNs) {
        double target = config.targetNs();
        intervalsAbove = waitNs > config.targetNs() ? intervalsAbove + 1 : 0;
        double change = INTEGRAL * (waitNs - target) / target + PROPORTIONAL * (waitNs - lastNs) / target;
        boolean isShort = waitNs < config.targetNs() / 2 && lastNs < config.targetNs() / 2;
        lastNs = waitNs;
        if (share == 0 && intervalsAbove <= INTERVALS_BORNE) {
            return;
        }
        share = Math.clamp((isShort ? LEFT * share : share) + change, 0, MOST_SHARE);
    }

    /** From 0 to 1, without allocation: xorshift64* (Vigna, 2016). */
    private double nextRandom() {
        random ^= random >>> 12;
        random ^= random << 25;
        random ^= random >>> 27;
        return (random * 0x2545_f491_4f6c_dd1dL >>> 11) * 0x1.0p-53;
    }
}
