package io.offhook.monitor;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What threads do that wait for a condition at a place, as dumps of threads say: sleep or park; or run, as the JVM calls it when
 * they wait in its own code. A thread that was at a place both before and after a dump was most likely there in it; the majority
 * decides, since it may have been elsewhere in between.
 */
final class WaitKinds {
    private static final int MOST = 10_000;

    private final Map<Long, Map<JavaState, Integer>> votes = new HashMap<>();

    /** Learns from a thread that was at a place before and after a dump that says what it did. */
    void learn(long place, JavaState state) {
        if (votes.size() < MOST || votes.containsKey(place)) {
            votes.computeIfAbsent(place, _ -> new EnumMap<>(JavaState.class)).merge(state, 1, Integer::sum);
        }
    }

    /** Learns from all threads that are at the same place both before and after a dump. */
    void learn(Map<Integer, Long> before, Map<Integer, Long> after, Map<Integer, JavaState> dumped) {
        dumped.forEach((nativeId, state) -> {
            Long place = before.get(nativeId);
            if (place != null && place.equals(after.get(nativeId))) {
                learn(place, state);
            }
        });
    }

    /** What threads do at a place; null if that is not known. */
    @Nullable
    JavaState at(long place) {
        if (place == 0) {
            return JavaState.RUNNING; // a thread of the JVM's own, in no frame of Java
        }
        JavaState most = null;
        int count = 0;
        Map<JavaState, Integer> here = votes.get(place);
        if (here != null) {
            for (Map.Entry<JavaState, Integer> vote : here.entrySet()) {
                if (vote.getValue() > count) {
                    most = vote.getKey();
                    count = vote.getValue();
                }
            }
        }
        return most;
    }
}
