package io.offhook.web.alert;

import java.util.ArrayDeque;
import java.util.Deque;

/** The most notices in any hour. Time is a parameter. */
final class HourLimit {
    private static final long HOUR_NS = 3600L * 1_000_000_000L;

    private final int most;
    private final Deque<Long> passed = new ArrayDeque<>();

    HourLimit(int most) {
        this.most = most;
    }

    /** Whether one more may pass now; if so, it is counted. */
    boolean passes(long nowNs) {
        while (!passed.isEmpty() && (nowNs - passed.getFirst() >= HOUR_NS || passed.getFirst() > nowNs)) {
            passed.removeFirst();
        }
        if (passed.size() >= most) {
            return false;
        }
        passed.addLast(nowNs);
        return true;
    }
}
