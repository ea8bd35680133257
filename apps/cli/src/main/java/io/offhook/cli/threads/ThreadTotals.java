package io.offhook.cli.threads;

import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaThread;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.LaneUse;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadProfile;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import io.offhook.monitor.recording.RecordedLook;
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
        private ThreadProfile profile = ThreadProfile.NOTHING;
        private LaneUse lane = new LaneUse(0, 0, 0, 0, 0, 0, 0);
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

        private void details(LookIndex index) {
            ThreadProfile more = index.profile(row.id());
            profile = more.equals(ThreadProfile.NOTHING) ? profile : profile.plus(more);
            LaneRow published = index.lane(row.id());
            lane = published == null ? lane : lane.plus(published.last());
        }

        /** What it did as a lane; nothing if it is none. */
        LaneUse lane() {
            return lane;
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
    List<ThreadRow> add(RecordedLook look) {
        List<ThreadRow> counted = new ArrayList<>(look.rows().size());
        LookIndex index = new LookIndex(look);
        for (ThreadRow row : look.rows()) {
            Total total = living.computeIfAbsent(row.id(), _ -> begun(row));
            total.use = total.use.plus(row.last());
            total.peak = Math.max(total.peak, row.mean().cpu());
            ThreadRow here = new ThreadRow(
                    row.id(), row.name(), row.state(), row.processor(), row.last(), row.mean(), total.use);
            total.row = here;
            total.inJava(look.java());
            total.details(index);
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

    /** Hot methods and allocation by native ids, of which the kernel may have given one to several threads; empty if none are known. */
    Map<Integer, ThreadProfile> profiles() {
        Map<Integer, ThreadProfile> profiles = new HashMap<>();
        for (Total total : all) {
            if (!total.profile.equals(ThreadProfile.NOTHING)) {
                profiles.merge(total.row.id(), total.profile, ThreadProfile::plus);
            }
        }
        return profiles;
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
