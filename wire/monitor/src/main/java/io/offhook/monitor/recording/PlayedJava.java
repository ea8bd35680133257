package io.offhook.monitor.recording;

import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaThread;
import io.offhook.monitor.Pause;
import io.offhook.monitor.StateTimes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes what a watch of a JVM returned of the records: names, times in the states of Java, and pauses. */
final class PlayedJava {
    private final PlayedStates states = new PlayedStates();
    private final Map<Integer, Name> names = new HashMap<>();
    private final Map<Integer, StateTimes> totals = new HashMap<>();
    private final List<Pause> pauses = new ArrayList<>();
    private List<StateRow> changed = List.of();

    /** A name, of a thread that runs Java code, or of another one of the JVM. */
    private record Name(boolean isJava, String name) {}

    void name(RecordCursor cursor) {
        int index = cursor.count();
        boolean isJava = cursor.u8() != 0;
        names.put(index, new Name(isJava, cursor.text()));
    }

    void states(List<StateRow> rows) {
        changed = rows;
    }

    void pause(Pause pause) {
        pauses.add(pause);
    }

    /**
     * Takes a look.
     *
     * @param ids the numbers of the kernel for the threads that live, by index
     * @param locks who waits for which lock
     */
    JavaLook play(Look look, Map<Integer, Integer> ids, RecordedLocks locks) {
        if (names.isEmpty() && pauses.isEmpty()) {
            return JavaLook.NOTHING;
        }
        Map<Integer, StateTimes> times = new HashMap<>();
        states.play(look.spanUs(), changed, (index, us) -> times.put(index, StateRow.times(us)));
        changed = List.of();
        Map<String, String> waitsFor = new HashMap<>();
        locks.locks().forEach(lock -> lock.waiters().forEach(name -> waitsFor.put(name, lock.name())));
        Map<Integer, JavaThread> threads = new HashMap<>();
        Map<Integer, String> others = new HashMap<>();
        ids.forEach((index, id) -> {
            Name name = names.get(index);
            if (name != null && name.isJava()) {
                StateTimes last = times.getOrDefault(index, StateTimes.NONE);
                StateTimes total = totals.merge(index, last, StateTimes::plus);
                threads.put(id, new JavaThread(id, name.name(), null, last, total, waitsFor.get(name.name())));
            } else if (name != null) {
                others.put(id, name.name());
            }
        });
        look.rows().stream().filter(ThreadDelta::isEnded).forEach(row -> ends(row.index));
        List<Pause> ended = List.copyOf(pauses);
        pauses.clear();
        return new JavaLook(threads, others, locks.locks(), locks.deadlocks(), ended, null);
    }

    private void ends(int index) {
        states.ends(index);
        names.remove(index);
        totals.remove(index);
    }
}
