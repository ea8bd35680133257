package io.offhook.monitor;

import io.offhook.linux.LinuxException;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that samples the threads of a JVM at random intervals: at regular ones it would see a thread that works at a multiple of
 * them always in the same state.
 */
final class JavaSampler implements AutoCloseable {
    /** The least mean time between two samples. */
    private static final long LEAST_NS = 20_000_000L;

    /** The greatest mean time between two samples. */
    private static final long MOST_NS = 200_000_000L;

    /** The part of a processor that samples may take, one in so many: the more threads, the fewer samples. */
    private static final long PART = 400;

    /** Threads are looked for at each so many samples. */
    private static final int REFRESH = 8;

    private final HotSpotThreads threads;
    private final WaitKinds kinds;
    private final Thread thread;
    private final SplittableRandom random = new SplittableRandom();
    private Map<Integer, StateCounts> counts = new HashMap<>();
    private volatile boolean isClosed;

    /**
     * Starts to sample.
     *
     * @throws LinuxException if the memory of the JVM may not be read
     */
    JavaSampler(HotSpotThreads threads, WaitKinds kinds) {
        this.threads = threads;
        this.kinds = kinds;
        threads.refresh();
        thread = Thread.ofPlatform().daemon().name("offhook-states").unstarted(this::run);
        thread.start();
    }

    private void run() {
        long meanNs = LEAST_NS;
        long leastNs = Long.MAX_VALUE;
        try {
            for (int i = 1; !isClosed; i++) {
                LockSupport.parkNanos(meanNs / 2 + random.nextLong(meanNs));
                long beganNs = System.nanoTime();
                sample(i % REFRESH == 0);
                // the least of some: others were interrupted
                leastNs = Math.min(leastNs, System.nanoTime() - beganNs);
                if (i % REFRESH == 0) {
                    meanNs = Math.clamp(leastNs * PART, LEAST_NS, MOST_NS);
                    leastNs = Long.MAX_VALUE;
                }
            }
        } catch (LinuxException e) {
            // it has ended
        }
    }

    private synchronized void sample(boolean isRefreshed) {
        if (isRefreshed) {
            threads.refresh();
        }
        threads.sample();
        for (int i = 0; i < threads.count(); i++) {
            int state = threads.state(i);
            if (state >= HotSpotThreads.RUNNABLE && state <= HotSpotThreads.SLEEPING) {
                count(counts.computeIfAbsent(threads.nativeId(i), _ -> new StateCounts()), i);
            }
        }
    }

    private void count(StateCounts of, int i) {
        switch (threads.state(i)) {
            case HotSpotThreads.MONITOR_WAIT -> of.add(JavaState.MONITOR);
            case HotSpotThreads.OBJECT_WAIT -> of.add(JavaState.WAIT);
            case HotSpotThreads.SLEEPING -> of.add(JavaState.SLEEPING);
            case HotSpotThreads.CONDITION_WAIT -> countAt(of, threads.place(i));
            default -> {
                if (threads.isStopped(i)) {
                    JavaState kind = kinds.at(threads.place(i));
                    countKind(of, kind == null ? JavaState.RUNNING : kind);
                } else if (threads.isNative(i)) {
                    of.addRunningOrWaiting();
                } else {
                    of.add(JavaState.RUNNING);
                }
            }
        }
    }

    private void countAt(StateCounts of, long place) {
        JavaState kind = kinds.at(place);
        if (kind == null) {
            of.addAt(place);
        } else {
            countKind(of, kind);
        }
    }

    private static void countKind(StateCounts of, JavaState kind) {
        if (kind == JavaState.RUNNING) {
            of.addRunningOrWaiting();
        } else {
            of.add(kind);
        }
    }

    /** Where threads wait for a condition now, by their native ids; nowhere once the process has ended. */
    synchronized Map<Integer, Long> places() {
        return threads.conditionPlaces();
    }

    /** Learns what threads do where they are both before and after a dump. */
    synchronized void learn(Map<Integer, Long> before, Map<Integer, Long> after, Map<Integer, JavaState> dumped) {
        kinds.learn(before, after, dumped);
    }

    /** Takes the samples since it was called last, by the native ids of the threads. */
    synchronized Map<Integer, StateCounts> take() {
        Map<Integer, StateCounts> taken = counts;
        counts = new HashMap<>();
        return taken;
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            threads.close();
        }
    }
}
