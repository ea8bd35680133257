package io.offhook.monitor.recording;

import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import io.offhook.monitor.ThreadWatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the rows of a watch of the looks in a recording: what each thread did last, in 15 seconds, and since it began. */
final class PlayedThreads {
    private static final int NS_A_US = 1000;

    private final Map<Integer, Played> living = new TreeMap<>();
    private final Deque<Look> recent = new ArrayDeque<>();
    /** The time of all looks. */
    private long allUs;
    /** The time of those in {@link #recent}. */
    private long recentUs;

    /** A thread. */
    private static final class Played {
        RecordedThread thread;
        final long bornUs;
        final ThreadDelta mean;
        final ThreadDelta total;

        Played(RecordedThread thread, long bornUs) {
            this.thread = thread;
            this.bornUs = bornUs;
            mean = new ThreadDelta(thread.index());
            total = new ThreadDelta(thread.index());
            total.state = '?';
        }

        ThreadRow row(ThreadDelta last, long spanUs, long recentUs, long allUs) {
            long livedUs = allUs - bornUs;
            return new ThreadRow(
                    thread.id(),
                    thread.name(),
                    total.state,
                    total.hasProcessor ? total.processor : -1,
                    use(last, spanUs),
                    use(mean, Math.min(recentUs, livedUs)),
                    use(total, livedUs));
        }

        private ThreadUse use(ThreadDelta delta, long us) {
            return new ThreadUse(
                    Math.max(0, us + delta.deviationUs) * NS_A_US,
                    delta.userUs * NS_A_US,
                    delta.systemUs * NS_A_US,
                    thread.isWaitKnown() ? delta.waitedUs * NS_A_US : -1,
                    delta.voluntary,
                    delta.involuntary,
                    thread.isMovingKnown() ? delta.migrations : -1);
        }
    }

    /** A thread that begins, or has another name from here on. */
    void add(RecordedThread thread) {
        Played known = living.get(thread.index());
        if (known == null) {
            living.put(thread.index(), new Played(thread, allUs));
        } else {
            known.thread = thread;
        }
    }

    /** The numbers of the kernel for those that live, by index. */
    Map<Integer, Integer> ids() {
        Map<Integer, Integer> ids = new HashMap<>();
        living.forEach((index, thread) -> ids.put(index, thread.thread.id()));
        return ids;
    }

    /** Takes a look, and returns the rows of those that live, and of those that have ended in it. */
    List<ThreadRow> play(Look look) {
        allUs += look.spanUs();
        recentUs += look.spanUs();
        recent.addLast(look);
        Map<Integer, ThreadDelta> deltas = new HashMap<>();
        for (ThreadDelta delta : look.rows()) {
            deltas.put(delta.index, delta);
            Played thread = living.get(delta.index);
            if (thread != null) {
                thread.mean.add(delta);
                thread.total.add(delta);
            }
        }
        leaveBehind();
        List<ThreadRow> rows = new ArrayList<>(living.size());
        for (Played thread : living.values()) {
            ThreadDelta last = deltas.get(thread.thread.index());
            rows.add(thread.row(
                    last == null ? new ThreadDelta(thread.thread.index()) : last, look.spanUs(), recentUs, allUs));
        }
        look.rows().stream().filter(ThreadDelta::isEnded).forEach(row -> living.remove(row.index));
        rows.sort((a, b) -> Integer.compare(a.id(), b.id()));
        return rows;
    }

    /** Takes what is more than 15 seconds old out of the means. */
    private void leaveBehind() {
        while (recent.size() > 1 && recentUs * NS_A_US > ThreadWatch.MEAN_NS) {
            Look oldest = recent.removeFirst();
            recentUs -= oldest.spanUs();
            for (ThreadDelta delta : oldest.rows()) {
                Played thread = living.get(delta.index);
                if (thread != null) {
                    thread.mean.subtract(delta);
                }
            }
        }
    }
}
