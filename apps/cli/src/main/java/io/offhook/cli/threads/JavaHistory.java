package io.offhook.cli.threads;

import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaState;
import io.offhook.monitor.JavaThread;
import io.offhook.monitor.Pause;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the threads of a JVM did since the watch began. Bounded: the oldest parts of lanes, and the first pauses, are forgotten. */
final class JavaHistory {
    /** The longest lane, in looks. */
    static final int LANE = 240;

    /** The most pauses. */
    static final int MOST_PAUSES = 10_000;

    private final Map<Integer, Entry> living = new HashMap<>();
    /** Whether the garbage collector stopped the JVM, for each look. */
    private final Deque<Boolean> stops = new ArrayDeque<>();

    private final Deque<Pause> pauses = new ArrayDeque<>();
    private final Map<Pause.Kind, Sum> sums = new HashMap<>();
    /** Those that had ended at the last look. */
    private final Set<Integer> ended = new HashSet<>();

    private JavaLook last = JavaLook.NOTHING;

    /** A thread. */
    static final class Entry {
        /** As it was seen last; null for one that runs no Java code. */
        @Nullable
        JavaThread thread;
        /** Its name where it runs no Java code; null if not known. */
        @Nullable
        String otherName;
        /** The state in which it was for most of the time, for each look; null where that is not known. */
        private final List<@Nullable JavaState> lane = new ArrayList<>();

        /** Its name; null if only the kernel has one. */
        @Nullable
        String name() {
            return thread != null ? thread.name() : otherName;
        }

        /** How long it was in each state; no time if it runs no Java code. */
        StateTimes total() {
            return thread == null ? StateTimes.NONE : thread.total();
        }

        /** How long it was in each state in the last interval; no time if it runs no Java code. */
        StateTimes last() {
            return thread == null ? StateTimes.NONE : thread.last();
        }
    }

    /**
     * Pauses of a kind.
     *
     * @param count how many
     * @param ns how long, together
     * @param longest the longest one
     */
    record Sum(int count, long ns, Pause longest) {
        private Sum plus(Sum other) {
            Pause longer = other.longest.durationNs() > longest.durationNs() ? other.longest : longest;
            return new Sum(count + other.count, ns + other.ns, longer);
        }
    }

    /** Adds a look. */
    void add(List<ThreadRow> rows, JavaLook look) {
        last = look;
        living.keySet().removeAll(ended);
        ended.clear();
        for (ThreadRow row : rows) {
            Entry entry = living.computeIfAbsent(row.id(), _ -> new Entry());
            JavaThread thread = look.threads().get(row.id());
            entry.thread = thread == null ? silent(entry.thread) : thread;
            entry.otherName = look.otherNames().getOrDefault(row.id(), entry.otherName);
            entry.lane.add(thread == null ? null : most(thread.last()));
            if (entry.lane.size() > LANE) {
                entry.lane.removeFirst();
            }
            if (row.isEnded()) {
                ended.add(row.id());
            }
        }
        boolean isStopped = false;
        for (Pause pause : look.pauses()) {
            pauses.addLast(pause);
            sums.merge(pause.kind(), new Sum(1, pause.durationNs(), pause), Sum::plus);
            isStopped |= pause.kind() == Pause.Kind.GC;
        }
        while (pauses.size() > MOST_PAUSES) {
            pauses.removeFirst();
        }
        stops.addLast(isStopped);
        if (stops.size() > LANE) {
            stops.removeFirst();
        }
    }

    /** A thread that was not seen. */
    private static @Nullable JavaThread silent(@Nullable JavaThread thread) {
        return thread == null
                ? null
                : new JavaThread(thread.nativeId(), thread.name(), null, StateTimes.NONE, thread.total(), null);
    }

    private static @Nullable JavaState most(StateTimes times) {
        JavaState most = null;
        for (JavaState state : JavaState.values()) {
            if (times.ns(state) > (most == null ? 0 : times.ns(most))) {
                most = state;
            }
        }
        return most;
    }

    /** A thread that lives, or has ended at the last look; null if none has this number. */
    @Nullable
    Entry of(int nativeId) {
        return living.get(nativeId);
    }

    /** The states of a thread in the last looks as letters, the newest last; a dot where it is not known. */
    static String lane(Entry entry, int looks) {
        StringBuilder lane = new StringBuilder();
        for (JavaState state : entry.lane.subList(Math.max(0, entry.lane.size() - looks), entry.lane.size())) {
            lane.append(state == null ? '.' : state.letter());
        }
        return lane.toString();
    }

    /** Where the garbage collector stopped all threads in the last looks: a {@code G}, else a dot. */
    String stops(int most) {
        StringBuilder lane = new StringBuilder();
        stops.stream().skip(Math.max(0, stops.size() - most)).forEach(isStopped -> lane.append(isStopped ? 'G' : '.'));
        return lane.toString();
    }

    /** The pauses, of which the first ones may be forgotten. */
    Iterable<Pause> pauses() {
        return pauses;
    }

    /** The pauses of a kind; null if there were none. */
    @Nullable
    Sum sum(Pause.Kind kind) {
        return sums.get(kind);
    }

    /** The last look. */
    JavaLook last() {
        return last;
    }
}
