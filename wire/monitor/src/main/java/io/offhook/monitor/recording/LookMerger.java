package io.offhook.monitor.recording;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes one look of several. Their times are those of the threads, too, also of those without a row; of threads that begin or end
 * meanwhile, the time in which they were watched.
 */
final class LookMerger {
    private final Map<Integer, ThreadDelta> rows = new TreeMap<>();
    private final Set<Integer> born = new HashSet<>();
    private final Map<Integer, Long> endedAtUs = new TreeMap<>();
    private long atNs;
    private long spanUs;
    private long looks;

    boolean isEmpty() {
        return looks == 0;
    }

    /** A thread that has its first row in the next look. */
    void begins(int index) {
        born.add(index);
    }

    void add(Look look) {
        for (ThreadDelta row : look.rows()) {
            ThreadDelta sum = rows.get(row.index);
            if (sum == null) {
                sum = new ThreadDelta(row.index);
                rows.put(row.index, sum);
                if (born.remove(row.index)) {
                    sum.deviationUs = -spanUs; // what was before it
                }
            }
            sum.add(row);
            if (row.isEnded()) {
                endedAtUs.put(row.index, spanUs + look.spanUs());
            }
        }
        atNs = look.atNs();
        spanUs += look.spanUs();
        looks += look.looks();
    }

    /** The sum, and begins anew. */
    Look take(int meanOf) {
        endedAtUs.forEach((index, endUs) -> {
            ThreadDelta row = rows.get(index);
            if (row != null) {
                row.deviationUs -= spanUs - endUs;
            }
        });
        Look sum = new Look(atNs, spanUs, meanOf, looks, new ArrayList<>(rows.values()));
        clear();
        return sum;
    }

    /** Only how the threads stand at the end, as a look of no time; and begins anew. */
    Look takeStates() {
        List<ThreadDelta> states = new ArrayList<>();
        for (ThreadDelta row : rows.values()) {
            row.forgetCounts();
            if (!row.isIdle() && !row.isEnded()) {
                states.add(row);
            }
        }
        Look look = new Look(atNs, 0, 0, 0, states);
        clear();
        return look;
    }

    private void clear() {
        rows.clear();
        born.clear();
        endedAtUs.clear();
        spanUs = 0;
        looks = 0;
    }
}
