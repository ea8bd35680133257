package io.offhook.monitor.recording;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The states of Java of all threads, of the rows of those that changed. */
final class PlayedStates {
    private final Map<Integer, StateRow> threads = new TreeMap<>();

    /** Takes the time in each state of a thread. */
    interface TimesHandler {
        /** The times of a thread, in microseconds; all 0 if nothing is known. */
        void times(int index, long[] us);
    }

    void play(long spanUs, List<StateRow> rows, TimesHandler handler) {
        threads.values().removeIf(row -> !row.isSteady()); // those have a row in each look
        rows.forEach(row -> threads.put(row.index(), row));
        threads.forEach((index, row) -> handler.times(index, row.us(spanUs)));
    }

    void ends(int index) {
        threads.remove(index);
    }

    boolean isEmpty() {
        return threads.isEmpty();
    }
}
