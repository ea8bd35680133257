package io.offhook.monitor.xray;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The causes of one gap. */
final class Judgement {
    /** A gap with fewer samples in it is too short to see. */
    private static final int LEAST_SAMPLES = 2;

    private final Evidence evidence;
    private final Gap gap;
    private final List<ThreadTrack> involved;
    private final long unreadUntilNs;
    private final boolean isSeen;

    Judgement(Evidence evidence, Gap gap) {
        this.evidence = evidence;
        this.gap = gap;
        int[] count = new int[1];
        evidence.samples.overlapping(gap.fromNs(), gap.toNs(), (_, toNs, _) -> count[0] += toNs <= gap.toNs() ? 1 : 0);
        isSeen = count[0] >= LEAST_SAMPLES;
        involved = isSeen ? Involvement.of(evidence, gap) : List.of();
        QueueTrack queue = isSeen ? evidence.queues.get(gap.queue()) : null;
        unreadUntilNs = queue == null ? gap.fromNs() : queue.unreadUntil(gap.fromNs(), gap.toNs());
    }

    List<Slice> slices() {
        List<Slice> slices = new ArrayList<>();
        long fromNs = gap.fromNs();
        for (long toNs : bounds()) {
            Slice slice = slice(fromNs, toNs);
            Slice last = slices.isEmpty() ? null : slices.getLast();
            if (last != null && last.cause() == slice.cause() && last.what().equals(slice.what())) {
                slices.set(slices.size() - 1, new Slice(last.fromNs(), toNs, slice.cause(), slice.what()));
            } else {
                slices.add(slice);
            }
            fromNs = toNs;
        }
        return slices;
    }

    /** Where something may change, the end included. */
    private Set<Long> bounds() {
        Set<Long> bounds = new TreeSet<>();
        Spans.Visitor<Object> both = (fromNs, toNs, _) -> {
            bounds.add(fromNs);
            bounds.add(toNs);
        };
        List<Spans<?>> all = new ArrayList<>(List.of(evidence.collections, evidence.safepoints));
        if (isSeen) {
            all.add(evidence.samples);
        }
        for (ThreadTrack track : involved) {
            all.addAll(List.of(track.activities, track.turns));
        }
        for (Spans<?> spans : all) {
            spans.overlapping(gap.fromNs(), gap.toNs(), both);
        }
        bounds.add(unreadUntilNs);
        bounds.removeIf(ns -> ns <= gap.fromNs() || ns >= gap.toNs());
        if (gap.ns() > 0) {
            bounds.add(gap.toNs());
        }
        return bounds;
    }

    private Slice slice(long fromNs, long toNs) {
        String collection = evidence.collections.at(toNs);
        if (collection != null) {
            return new Slice(fromNs, toNs, Cause.GC, collection);
        }
        String safepoint = evidence.safepoints.at(toNs);
        if (safepoint != null) {
            return new Slice(fromNs, toNs, Cause.SAFEPOINT, safepoint);
        }
        if (!isSeen) {
            return new Slice(fromNs, toNs, Cause.UNSEEN, "");
        }
        ThreadTrack blocked = doing(Activity.MONITOR, toNs);
        if (blocked != null) {
            return new Slice(fromNs, toNs, Cause.MONITOR, lock(blocked, toNs));
        }
        if (doing(Activity.STOPPED, toNs) != null) {
            return new Slice(fromNs, toNs, Cause.SAFEPOINT, "");
        }
        ThreadTrack ready = first(track -> track.turns.at(toNs) == ThreadTrack.Turn.WAIT);
        if (ready != null) {
            return new Slice(fromNs, toNs, Cause.RUN_QUEUE, ready.name);
        }
        ThreadTrack running = first(track -> isRunning(track, toNs));
        if (toNs <= unreadUntilNs) {
            return new Slice(fromNs, toNs, Cause.UNREAD, running == null ? activity(toNs) : running.name + " runs");
        }
        if (running != null) {
            return new Slice(fromNs, toNs, Cause.CPU, running.name);
        }
        boolean isKnown = evidence.samples.at(toNs) != null;
        return new Slice(fromNs, toNs, isKnown ? Cause.WAITING : Cause.UNSEEN, isKnown ? activity(toNs) : "");
    }

    /** Whether it had a processor; or was neither waiting nor accounted yet, which is a matter of some milliseconds. */
    private static boolean isRunning(ThreadTrack track, long atNs) {
        return track.turns.at(atNs) == ThreadTrack.Turn.RUN || track.activities.at(atNs) == Activity.RUNNABLE;
    }

    private interface Test {
        boolean holds(ThreadTrack track);
    }

    private @Nullable ThreadTrack first(Test test) {
        for (ThreadTrack track : involved) {
            if (test.holds(track)) {
                return track;
            }
        }
        return null;
    }

    private @Nullable ThreadTrack doing(Activity activity, long atNs) {
        return first(track -> track.activities.at(atNs) == activity);
    }

    /** What the threads do that wait: one that waits in Java says more than one that may wait for a socket. */
    private String activity(long atNs) {
        ThreadTrack waiting = first(track -> {
            Activity activity = track.activities.at(atNs);
            return activity != null && activity.isWaiting() && activity != Activity.NATIVE;
        });
        ThreadTrack shown = waiting == null ? first(_ -> true) : waiting;
        Activity activity = shown == null ? null : shown.activities.at(atNs);
        return shown == null || activity == null ? "" : shown.name + " " + activity.words();
    }

    /** The lock that a thread was seen to be blocked on while it was blocked as it is at a moment; empty if it was not seen. */
    private static String lock(ThreadTrack track, long atNs) {
        String[] what = {""};
        track.activities.overlapping(
                atNs - 1,
                atNs,
                (fromNs, toNs, _) -> track.locks.overlapping(
                        fromNs, toNs, (_, _, seen) -> what[0] = what[0].isEmpty() ? seen : what[0]));
        return what[0].isEmpty() ? track.name + ", on a lock that was not seen" : track.name + ", on " + what[0];
    }
}
