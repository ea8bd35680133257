package io.offhook.monitor;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * How long each thread was in each state in all. Where it waited at a place of which nobody knew what threads do there, it counts
 * as running; once a dump shows it, that is put right.
 */
final class StateTotals {
    private static final int MOST_PLACES = 1000;
    private static final int LEAST_LOOKS = 3;

    private final WaitKinds kinds;
    private final Map<Integer, StateTimes> totals = new HashMap<>();
    /** How long which thread was at a place of which it is not known. */
    private final Map<Long, Map<Integer, Long>> unknown = new HashMap<>();

    private int looks;

    StateTotals(WaitKinds kinds) {
        this.kinds = kinds;
    }

    /** Begins a look. */
    void begin() {
        looks++;
        for (Iterator<Map.Entry<Long, Map<Integer, Long>>> all =
                        unknown.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<Long, Map<Integer, Long>> entry = all.next();
            JavaState kind = kinds.at(entry.getKey());
            if (kind != null) {
                entry.getValue().forEach((id, ns) -> totals.computeIfPresent(id, (_, times) -> times.moved(ns, kind)));
                all.remove();
            }
        }
    }

    /**
     * Adds what a thread did since the look before.
     *
     * @return the times in this interval
     */
    StateTimes add(int nativeId, StateCounts counts, ThreadUse use, boolean isSleeping) {
        boolean isEarly = looks < LEAST_LOOKS;
        Map<Long, Long> places =
                counts.resolve(kinds, !isEarly ? JavaState.RUNNING : isSleeping ? JavaState.SLEEPING : JavaState.PARK);
        StateTimes times = counts.times(use);
        totals.merge(nativeId, times, StateTimes::plus);
        if (!isEarly) {
            places.forEach((place, samples) -> {
                if (unknown.size() < MOST_PLACES || unknown.containsKey(place)) {
                    unknown.computeIfAbsent(place, _ -> new HashMap<>())
                            .merge(nativeId, use.elapsedNs() * samples / counts.samples(), Long::sum);
                }
            });
        }
        return times;
    }

    /** The times of a thread since it was first seen. */
    StateTimes of(int nativeId) {
        return totals.getOrDefault(nativeId, StateTimes.NONE);
    }

    /** Forgets the threads that are no more. */
    void retain(Set<Integer> nativeIds) {
        totals.keySet().retainAll(nativeIds);
    }
}
