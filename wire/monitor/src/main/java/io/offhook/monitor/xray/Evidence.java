package io.offhook.monitor.xray;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was seen of a process, for some time back: samples of its threads and sockets, and the pauses of its JVM. Times are nanoseconds
 * since the epoch, those of samples rising. Bounded by {@link #forget}. Thread-safe.
 */
public final class Evidence {
    /** What a thread does in a sample, it is taken to have done since the sample before, but for no longer than this. */
    static final long MOST_STRETCH_NS = 100_000_000L;

    /** The most threads and the most queues, those of the past included. */
    static final int MOST = 10_000;

    final Map<Integer, ThreadTrack> threads = new TreeMap<>();
    final Map<Long, QueueTrack> queues = new HashMap<>();
    final Spans<String> collections = new Spans<>();
    final Spans<String> safepoints = new Spans<>();
    /** The time between two samples, each. */
    final Spans<Boolean> samples = new Spans<>();

    private long beforeNs;
    private long atNs;

    /** Nothing is seen yet. */
    public Evidence() {}

    /** Begins a sample, which what is added next belongs to. */
    public synchronized void begin(long nowNs) {
        beforeNs = Math.max(atNs, nowNs - MOST_STRETCH_NS);
        atNs = Math.max(nowNs, beforeNs + 1); // a clock that was set back
        samples.add(beforeNs, atNs, Boolean.TRUE);
    }

    /**
     * Adds what a thread does.
     *
     * @param id its number
     * @param name its name
     * @param accountedNs when the kernel was asked what it had accounted: now, or a little later
     * @param ranNs how long it had a processor, as accounted since the sample before, in nanoseconds
     * @param waitedNs how long it was runnable without one, as accounted since then
     */
    public synchronized void thread(
            int id, String name, Activity activity, long accountedNs, long ranNs, long waitedNs) {
        ThreadTrack track = threads.get(id);
        if (track == null) {
            if (threads.size() >= MOST) {
                return;
            }
            track = new ThreadTrack(name, atNs);
            threads.put(id, track);
        }
        track.name = name;
        track.add(beforeNs, atNs, activity, Math.max(atNs, accountedNs), ranNs, waitedNs);
    }

    /**
     * Adds what waits to be read in a socket, or in several that share a port.
     *
     * @param number of the queue
     * @param bytes as the kernel counts them: of UDP with its overhead
     */
    public synchronized void queue(long number, long bytes) {
        QueueTrack track = queues.get(number);
        if (track == null) {
            if (queues.size() >= MOST) {
                return;
            }
            track = new QueueTrack();
            queues.put(number, track);
        }
        track.add(beforeNs, atNs, bytes);
    }

    /**
     * Adds a message that came in.
     *
     * @param number of the queue
     * @param cameNs when
     * @param bytes of a message in a stream its octets; 0 for a datagram
     */
    public synchronized void arrived(long number, long cameNs, long bytes) {
        QueueTrack track = queues.get(number);
        if (track != null) {
            track.arrived(cameNs, bytes);
        }
    }

    /**
     * Adds a pause of all threads.
     *
     * @param isCollection whether it was for the garbage collector
     * @param what as the JVM calls it
     */
    public synchronized void pause(long fromNs, long toNs, boolean isCollection, String what) {
        (isCollection ? collections : safepoints).add(fromNs, toNs, what);
    }

    /**
     * Adds that a thread was seen to be blocked on a lock.
     *
     * @param id its number
     * @param seenNs when
     * @param what the lock, and who has it
     */
    public synchronized void blocked(int id, long seenNs, String what) {
        ThreadTrack track = threads.get(id);
        if (track != null) {
            track.locks.add(seenNs - 1, seenNs, what);
        }
    }

    /** Whether a thread that is blocked now is so for some time, and its lock has not been seen. */
    public synchronized boolean isBlockUnknown(int id, long forNs) {
        ThreadTrack track = threads.get(id);
        if (track == null) {
            return false;
        }
        long[] fromNs = {Long.MAX_VALUE};
        track.activities.overlapping(atNs - 1, atNs, (from, _, activity) -> {
            if (activity == Activity.MONITOR) {
                fromNs[0] = from;
            }
        });
        return atNs - forNs >= fromNs[0] && track.locks.lastNs() < fromNs[0];
    }

    /** When the last sample was; 0 before the first. */
    public synchronized long sampledNs() {
        return atNs;
    }

    /**
     * Divides a gap among causes: slices without holes between them, from its begin to its end. Samples until its end must have been
     * added, and pauses.
     */
    public synchronized List<Slice> judge(Gap gap) {
        return new Judgement(this, gap).slices();
    }

    /** Forgets what ended before a moment. */
    public synchronized void forget(long beforeNs) {
        threads.values().forEach(track -> track.forget(beforeNs));
        threads.values().removeIf(track -> track.activities.isEmpty());
        queues.values().forEach(track -> track.forget(beforeNs));
        queues.values().removeIf(track -> track.waiting.isEmpty());
        collections.forget(beforeNs);
        safepoints.forget(beforeNs);
        samples.forget(beforeNs);
    }
}
