package io.offhook.cli.threads;

import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaThread;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each thread did in the part of a recording that is looked at. */
final class ThreadTotals {
    private static final ThreadUse NONE = new ThreadUse(0, 0, 0, 0, 0, 0, 0);

    private final List<Total> all = new ArrayList<>();
    private final Map<Integer, Total> living = new HashMap<>();
    private long longestNs;

    /** A thread. */
    static final class Total {
        private ThreadRow row;
        private ThreadUse use = NONE;
        private double peak;
        private StateTimes states = StateTimes.NONE;
        private @Nullable String name;

        Total(ThreadRow row) {
            this.row = row;
        }

        private void inJava(JavaLook java) {
            JavaThread thread = java.threads().get(row.id());
            if (thread != null) {
                states = states.plus(thread.last());
            }
            String other = java.otherNames().get(row.id());
            name = thread != null ? thread.name() : other != null ? other : name;
        }

        /** Its name in Java, or as the JVM has it; that of the kernel where it has none. */
        String name() {
            return name == null ? row.name() : name;
        }

        /** How long it was in each state of Java; no time if it runs no Java code. */
        StateTimes states() {
            return states;
        }

        /** As it was seen last. */
        ThreadRow row() {
            return row;
        }

        /** What it did. */
        ThreadUse use() {
            return use;
        }

        /** The highest mean of 15 seconds of its share of a processor. */
        double peak() {
            return peak;
        }
    }

    /** Adds a look, and returns its rows, whose totals are those since the first one that was added. */
    List<ThreadRow> add(List<ThreadRow> rows, JavaLook java) {
        List<ThreadRow> counted = new ArrayList<>(rows.size());
        for (ThreadRow row : rows) {
            Total total = living.computeIfAbsent(row.id(), _ -> begun(row));
            total.use = total.use.plus(row.last());
            total.peak = Math.max(total.peak, row.mean().cpu());
            ThreadRow here = new ThreadRow(
                    row.id(), row.name(), row.state(), row.processor(), row.last(), row.mean(), total.use);
            total.row = here;
            total.inJava(java);
            counted.add(here);
            longestNs = Math.max(longestNs, total.use.elapsedNs());
            if (row.isEnded()) {
                living.remove(row.id());
            }
        }
        return counted;
    }

    private Total begun(ThreadRow row) {
        Total total = new Total(row);
        all.add(total);
        return total;
    }

    /** The threads, in the order in which they were seen first. */
    List<Total> all() {
        return all;
    }

    /** The time of the thread that was watched longest: of looks alone, without times between. */
    long longestNs() {
        return longestNs;
    }
}
