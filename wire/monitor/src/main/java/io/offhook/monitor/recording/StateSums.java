package io.offhook.monitor.recording;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How long threads were in the states of Java since something was written of them. */
final class StateSums {
    private final Map<Integer, Sum> threads = new TreeMap<>();

    /** A thread. */
    private static final class Sum {
        final long[] us;
        int written;
        boolean isEnded;

        Sum(int states) {
            us = new long[states];
        }
    }

    /** Adds a time, of which nothing may be known. */
    void add(int index, long[] us) {
        Sum sum = threads.computeIfAbsent(index, _ -> new Sum(us.length));
        for (int i = 0; i < us.length; i++) {
            sum.us[i] += us[i];
        }
    }

    /** It is left out once what there is of it was written. */
    void ends(int index) {
        Sum sum = threads.get(index);
        if (sum != null) {
            sum.isEnded = true;
        }
    }

    /** What is to be written, by index. */
    List<StateRow> rows() {
        List<StateRow> rows = new ArrayList<>();
        threads.forEach((index, sum) -> {
            StateRow row = StateRow.of(index, sum.us.clone());
            if (!row.isSteady() || row.mask() != sum.written) {
                rows.add(row);
            }
        });
        return rows;
    }

    /** It was written. */
    void written() {
        threads.forEach((index, sum) -> sum.written = StateRow.of(index, sum.us).mask());
        forget();
    }

    /** It will not be written. */
    void forget() {
        threads.values().removeIf(sum -> sum.isEnded);
        threads.values().forEach(sum -> Arrays.fill(sum.us, 0));
    }
}
