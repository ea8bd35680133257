package io.offhook.library;

import java.util.Map;
import java.util.TreeMap;

/** What was driven, by name. */
final class Tally {
    private final Map<String, Long> counts = new TreeMap<>();

    void add(String name, long count) {
        counts.merge(name, count, Long::sum);
    }

    Map<String, Long> counts() {
        return counts;
    }
}
