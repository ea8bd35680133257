package io.offhook.web.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counters that others keep, as they were at most: a file that failed, for example, no longer knows how much was read of it, and
 * a counter of Prometheus never goes back.
 */
final class HighWater {
    private static final int MOST = 4096;

    private final Map<Key, Long> most = new ConcurrentHashMap<>();

    private record Key(ServedMetric metric, String label) {}

    /** The most that a counter has been. */
    long of(ServedMetric metric, String label, long now) {
        Key key = new Key(metric, label);
        if (most.size() >= MOST && !most.containsKey(key)) {
            return now;
        }
        return most.merge(key, now, Math::max);
    }
}
