package io.offhook.web.alert;

/**
 * Whether the alert of a rule is raised, by the values over time. Time is a parameter.
 *
 * <p>Single-threaded.
 */
final class RuleState {
    private static final long NEVER = Long.MIN_VALUE;

    private final AlertRule rule;
    private boolean isRaised;
    private long raisedNs = NEVER;
    private long turningNs = NEVER;
    private long noticedNs = NEVER;
    private boolean isNoticed;

    /** What has to be said about a rule. */
    enum Event {
        NOTHING,
        RAISED,
        REPEATED,
        CLEARED,
        /** It was raised again too soon after the last notice. */
        HELD_BACK
    }

    RuleState(AlertRule rule) {
        this.rule = rule;
    }

    AlertRule rule() {
        return rule;
    }

    boolean isRaised() {
        return isRaised;
    }

    /** When it was raised, nanoseconds since the epoch. */
    long raisedNs() {
        return raisedNs;
    }

    /** Takes a value; returns what there is to say. */
    Event step(AlertQueries.Measured measured, long nowNs) {
        boolean turns = isRaised ? rule.isClearedBy(measured.value()) : rule.isRaisedBy(measured.value());
        if (measured.sample() < rule.limits().minimum()) {
            turns = isRaised && !rule.kind().isShare();
        }
        if (!turns) {
            turningNs = NEVER;
        } else if (turningNs == NEVER || turningNs > nowNs) {
            turningNs = nowNs;
        }
        if (turns && nowNs - turningNs >= rule.forNs()) {
            return turn(nowNs);
        }
        return isRaised && isDue(nowNs) ? notice(nowNs, isNoticed ? Event.REPEATED : Event.RAISED) : Event.NOTHING;
    }

    private Event turn(long nowNs) {
        turningNs = NEVER;
        isRaised = !isRaised;
        if (isRaised) {
            raisedNs = nowNs;
            isNoticed = false;
            return isDue(nowNs) ? notice(nowNs, Event.RAISED) : Event.HELD_BACK;
        }
        return isNoticed ? Event.CLEARED : Event.NOTHING;
    }

    /** An alert that flaps is not said anew each time. */
    private boolean isDue(long nowNs) {
        return noticedNs == NEVER || nowNs - noticedNs >= rule.repeatNs() || nowNs < noticedNs;
    }

    private Event notice(long nowNs, Event event) {
        noticedNs = nowNs;
        isNoticed = true;
        return event;
    }
}
