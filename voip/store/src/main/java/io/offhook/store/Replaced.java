package io.offhook.store;

import java.util.HashMap;
import java.util.Map;

/** The ids of rows that others take the place of, and from when to when they are. */
final class Replaced {
    private final Map<Long, Long> times = new HashMap<>();
    private long fromNs = Long.MAX_VALUE;
    private long untilNs = Long.MIN_VALUE;

    void add(long id, long ns) {
        times.put(id, ns);
        fromNs = Math.min(fromNs, ns);
        untilNs = Math.max(untilNs, ns);
    }

    boolean isEmpty() {
        return times.isEmpty();
    }

    /** By id, when it is. */
    Map<Long, Long> times() {
        return times;
    }

    long fromNs() {
        return fromNs;
    }

    long untilNs() {
        return untilNs;
    }
}
