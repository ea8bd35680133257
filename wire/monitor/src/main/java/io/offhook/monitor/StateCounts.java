package io.offhook.monitor;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** What a thread did in the samples of an interval. */
final class StateCounts {
    private final Map<JavaState, Long> counts = new EnumMap<>(JavaState.class);
    /** Samples at places of which nobody knew yet what threads do there. */
    private final Map<Long, Long> places = new HashMap<>();

    private long mayWait;

    void add(JavaState state) {
        counts.merge(state, 1L, Long::sum);
    }

    /** Adds a sample of a runnable thread that may have no processor: in native code, or stopped by the JVM. */
    void addRunningOrWaiting() {
        add(JavaState.RUNNING);
        mayWait++;
    }

    void addAt(long place) {
        places.merge(place, 1L, Long::sum);
    }

    /**
     * Adds what was not known when it was sampled.
     *
     * @param guess where it is not known now, either
     * @return the samples of places of which it is not known
     */
    Map<Long, Long> resolve(WaitKinds kinds, JavaState guess) {
        Map<Long, Long> unknown = new HashMap<>();
        places.forEach((place, samples) -> {
            JavaState kind = kinds.at(place);
            if (kind == null) {
                unknown.put(place, samples);
                kind = guess;
            }
            counts.merge(kind, samples, Long::sum);
            mayWait += kind == JavaState.RUNNING ? samples : 0;
        });
        places.clear();
        return unknown;
    }

    /** How many samples there are. */
    long samples() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * The times in the states. Samples tell the kind. The kernel tells how long the thread had a processor, and how long it could have
     * run but had none: for the JVM it was runnable where its processor had been taken away, and still waiting where it had been
     * woken. A thread that was in native code may have been runnable for longer, which samples tell.
     *
     * @param use what the kernel says of the interval
     */
    StateTimes times(ThreadUse use) {
        long running = count(JavaState.RUNNING);
        long all = samples();
        if (all == 0) {
            return StateTimes.NONE;
        }
        double sampled = (double) running / all;
        double known = use.cpu();
        if (use.waitedNs() >= 0) {
            long switches = use.voluntarySwitches() + use.involuntarySwitches();
            known = Math.min(1, known + use.waited() * use.involuntarySwitches() / Math.max(1, switches));
        }
        double share = running == all ? 1 : mayWait == 0 && use.waitedNs() >= 0 ? known : Math.max(sampled, known);
        long elapsedNs = use.elapsedNs();
        double waitNs = elapsedNs * (1 - share) / Math.max(1, all - running);
        long sleepingNs = Math.round(waitNs * count(JavaState.SLEEPING));
        long objectNs = Math.round(waitNs * count(JavaState.WAIT));
        long parkNs = Math.round(waitNs * count(JavaState.PARK));
        long monitorNs = Math.round(waitNs * count(JavaState.MONITOR));
        return new StateTimes(
                Math.max(0, elapsedNs - sleepingNs - objectNs - parkNs - monitorNs),
                sleepingNs,
                objectNs,
                parkNs,
                monitorNs);
    }

    private long count(JavaState state) {
        return counts.getOrDefault(state, 0L);
    }
}
