package io.offhook.monitor;

import io.offhook.linux.LinuxException;
import io.offhook.monitor.xray.Activity;
import io.offhook.monitor.xray.Evidence;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that samples what the threads of a JVM do and what waits in its sockets, each two milliseconds where that takes no more than
 * a tenth of a processor, else less often.
 */
final class EvidenceSampler implements AutoCloseable {
    /** The least time from the end of a sample to the next one. */
    private static final long LEAST_NS = 2_000_000L;

    private static final long MOST_NS = 50_000_000L;
    /** The part of a processor that samples may take, one in so many. */
    private static final long PART = 10;

    /** Threads are looked for at each so many samples, whether the JVM's list of them seems to be another or not. */
    private static final int REFRESH = 16;

    /** A block that lasts so long is worth a dump of threads, which says who has the lock. */
    private static final long LONG_BLOCK_NS = 8_000_000L;

    private static final int LINE_BYTES = 128;

    /** How threads begin that the JVM has for itself, as the kernel names them: none of them answers anybody. */
    private static final List<String> OWN = List.of(
            "C1 CompilerThre",
            "C2 CompilerThre",
            "JVMCI",
            "Signal Dispatch",
            "Attach Listener",
            "Service Thread",
            "Monitor Deflati",
            "Notification T",
            "Common-Cleaner",
            "Finalizer",
            "Reference Handl",
            "JFR ",
            "StringDedup");

    private final long pid;
    private final HotSpotThreads threads;
    private final WaitKinds kinds;
    private final ProcessSockets sockets;
    private final Evidence evidence;
    private final ByteBuffer line = ByteBuffer.allocateDirect(LINE_BYTES);
    private final Map<Integer, ScheduleFile> schedules = new HashMap<>();
    private final Set<Integer> unscheduled = new HashSet<>();
    private final Thread thread;
    private volatile Map<Integer, String> names = Map.of();
    private volatile long periodNs = LEAST_NS;
    private volatile boolean isBlockUnknown;
    private volatile boolean isPlaceUnknown;
    private volatile boolean isOver;
    private volatile boolean isClosed;
    private volatile @Nullable String fault;

    /** @throws LinuxException if the memory of the JVM may not be read */
    EvidenceSampler(long pid, HotSpotThreads threads, WaitKinds kinds, ProcessSockets sockets, Evidence evidence) {
        this.pid = pid;
        this.threads = threads;
        this.kinds = kinds;
        this.sockets = sockets;
        this.evidence = evidence;
        threads.refresh();
        thread = Thread.ofPlatform().daemon().name("offhook-xray").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        long leastNs = Long.MAX_VALUE;
        try {
            for (int i = 1; !isClosed; i++) {
                long beganNs = System.nanoTime();
                sample(i % REFRESH == 0);
                leastNs = Math.min(leastNs, System.nanoTime() - beganNs);
                if (i % REFRESH == 0) {
                    periodNs = Math.clamp(leastNs * PART, LEAST_NS, MOST_NS);
                    leastNs = Long.MAX_VALUE;
                }
                LockSupport.parkNanos(periodNs);
            }
        } catch (RuntimeException e) {
            // a LinuxException: most likely it has ended
            fault = e instanceof LinuxException ? e.getMessage() : e.toString();
            isOver = true;
        }
    }

    private synchronized void sample(boolean isRefreshed) {
        if (isRefreshed) {
            threads.refresh();
            forget();
        } else {
            threads.refreshIfChanged();
        }
        threads.sample();
        evidence.begin(epochNs());
        boolean isAnyUnknown = false;
        for (int i = 0; i < threads.count(); i++) {
            Activity activity = activity(i);
            if (activity != null) {
                add(threads.nativeId(i), activity);
                isAnyUnknown |=
                        activity == Activity.MONITOR && evidence.isBlockUnknown(threads.nativeId(i), LONG_BLOCK_NS);
                isPlaceUnknown |= activity == Activity.SLEEP_OR_PARK;
            }
        }
        isBlockUnknown = isAnyUnknown;
        sockets.sample(evidence);
    }

    private static long epochNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private void add(int id, Activity activity) {
        ScheduleFile schedule = schedule(id);
        String name = names.get(id);
        if (schedule == null) {
            // the kernel does not account: what is runnable counts as running
            long ranNs = activity == Activity.RUNNABLE ? periodNs : 0;
            evidence.thread(id, name == null ? "thread " + id : name, activity, epochNs(), ranNs, 0);
        } else if (!isOwn(schedule) && schedule.read(line)) {
            evidence.thread(
                    id,
                    name == null ? schedule.name() : name,
                    activity,
                    epochNs(),
                    schedule.ranMoreNs(),
                    schedule.waitedMoreNs());
        }
    }

    /** What a thread does; null for one that has ended. */
    private @Nullable Activity activity(int i) {
        return switch (threads.state(i)) {
            case HotSpotThreads.MONITOR_WAIT -> Activity.MONITOR;
            case HotSpotThreads.OBJECT_WAIT -> Activity.OBJECT_WAIT;
            case HotSpotThreads.SLEEPING -> Activity.SLEEP;
            case HotSpotThreads.CONDITION_WAIT -> waiting(kinds.at(threads.place(i)), Activity.SLEEP_OR_PARK);
            case HotSpotThreads.RUNNABLE -> {
                if (threads.isStopped(i)) {
                    yield waiting(kinds.at(threads.place(i)), Activity.STOPPED);
                }
                yield threads.isNative(i) ? Activity.NATIVE : Activity.RUNNABLE;
            }
            default -> null;
        };
    }

    private static Activity waiting(@Nullable JavaState kind, Activity otherwise) {
        return switch (kind) {
            case SLEEPING -> Activity.SLEEP;
            case PARK -> Activity.PARK;
            case WAIT -> Activity.OBJECT_WAIT;
            case MONITOR -> Activity.MONITOR;
            case RUNNING -> otherwise == Activity.STOPPED ? otherwise : Activity.IN_JVM;
            case null -> otherwise;
        };
    }

    private @Nullable ScheduleFile schedule(int id) {
        ScheduleFile known = schedules.get(id);
        if (known == null && !unscheduled.contains(id)) {
            known = ScheduleFile.open(pid, id, line);
            if (known == null) {
                unscheduled.add(id);
            } else {
                schedules.put(id, known);
            }
        }
        return known;
    }

    private static boolean isOwn(ScheduleFile schedule) {
        return OWN.stream().anyMatch(schedule.name()::startsWith);
    }

    /** Closes the files of threads that are no more. */
    private void forget() {
        Set<Integer> there = new HashSet<>();
        for (int i = 0; i < threads.count(); i++) {
            there.add(threads.nativeId(i));
        }
        unscheduled.retainAll(there);
        for (Iterator<Map.Entry<Integer, ScheduleFile>> all =
                        schedules.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<Integer, ScheduleFile> one = all.next();
            if (!there.contains(one.getKey())) {
                one.getValue().close();
                all.remove();
            }
        }
    }

    /** Reads the names of threads again, and takes over those that a dump has: whole ones, by native ids. */
    void rename(Map<Integer, String> dumped) {
        names = Map.copyOf(dumped);
        List<ScheduleFile> files;
        synchronized (this) {
            files = new ArrayList<>(schedules.values());
        }
        files.forEach(ScheduleFile::readName);
    }

    /** Where threads wait for a condition now, by their native ids. */
    synchronized Map<Integer, Long> places() {
        return threads.conditionPlaces();
    }

    /** Learns what threads do where they are both before and after a dump. */
    synchronized void learn(Map<Integer, Long> before, Map<Integer, Long> after, Map<Integer, JavaState> dumped) {
        kinds.learn(before, after, dumped);
    }

    /** Whether a thread is blocked for some time on a lock that no dump has shown. */
    boolean isBlockUnknown() {
        return isBlockUnknown;
    }

    /** Whether a thread waits, or has waited, where no dump has shown what threads do there; asking forgets it. */
    boolean takePlaceUnknown() {
        boolean is = isPlaceUnknown;
        isPlaceUnknown = false;
        return is;
    }

    /** Whether samples have ended, most likely with the process. */
    boolean isOver() {
        return isOver;
    }

    /** Why samples have ended; null if they go on. */
    @Nullable
    String fault() {
        return fault;
    }

    /** The time between two samples, in nanoseconds. */
    long periodNs() {
        return periodNs;
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
            schedules.values().forEach(ScheduleFile::close);
            threads.close();
        }
    }
}
