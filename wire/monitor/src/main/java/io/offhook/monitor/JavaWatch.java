package io.offhook.monitor;

import io.offhook.linux.LinuxException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches the Java threads of a HotSpot JVM, of Java 17 or later, of the same user or by root: the states of each over time, names,
 * locks, deadlocks, pauses, virtual threads. A process that is no JVM has none of it; where something is closed, the rest is
 * there, and {@link #notes} says what is missing and why.
 *
 * <p>States come from samples of the JVM's memory, up to 50 a second at random, and from the kernel's exact times; names, locks and
 * deadlocks from a dump of threads each second at first, and each five seconds or when a thread begins later; pauses from Flight Recorder, which is started in the JVM, with
 * events for pauses alone, and stopped at the end. Not thread-safe.
 */
public final class JavaWatch implements AutoCloseable {
    /** The least time between two dumps, which stop the JVM for some milliseconds. */
    private static final long LEAST_NS = 900_000_000L;

    /** The greatest time between two dumps, once places where threads wait are known, and as long as no thread begins. */
    private static final long MOST_NS = 5_000_000_000L;

    private static final int FIRST_DUMPS = 8;

    private final long pid;
    private final List<String> notes = new ArrayList<>();
    private final WaitKinds kinds = new WaitKinds();
    private final StateTotals totals = new StateTotals(kinds);
    private final boolean isJvm;
    private final NativeIds ids;
    private final @Nullable ProfileStream profile;
    private @Nullable JavaSampler sampler;
    private @Nullable AttachSocket socket;
    private @Nullable PauseStream pauses;
    private @Nullable ThreadDump dump;
    private @Nullable VirtualThreads virtualThreads;
    private boolean knowsScheduler = true;
    private long dumpedNs;
    private int dumps;
    /** The threads that there were at the last dump, of which some are in none. */
    private Set<Integer> asked = Set.of();

    private JavaWatch(long pid, boolean isProfiled) {
        this.pid = pid;
        profile = isProfiled ? new ProfileStream() : null;
        ids = NativeIds.of(pid);
        isJvm = HotSpotLayout.isJvm(pid);
        if (!isJvm) {
            noteRefusal();
        } else {
            openMemory();
            openSocket();
            dump(List.of());
        }
    }

    /**
     * Starts to watch a process, which need not be a JVM. Nothing is thrown: what is not possible is in {@link #notes}.
     *
     * @param pid its number, in the namespace of this process
     */
    public static JavaWatch of(long pid) {
        return new JavaWatch(pid, false);
    }

    /**
     * As {@link #of}, with {@link #profiles}: the JVM samples the stacks of its threads meanwhile, each 20 ms five that run, and counts
     * what each has allocated, each second.
     */
    public static JavaWatch profiling(long pid) {
        return new JavaWatch(pid, true);
    }

    /** Whether it was begun by {@link #profiling}. */
    public boolean isProfiling() {
        return profile != null;
    }

    /**
     * Hot methods and allocation of the threads since the watch began, by their native ids; empty without {@link #profiling}. They
     * arrive up to two seconds late. Virtual threads have none.
     */
    public Map<Integer, ThreadProfile> profiles() {
        return profile == null ? Map.of() : ids.outside(profile.profiles());
    }

    /**
     * What has become known of hot methods and allocation since this was called last, by native ids, with all methods: what a
     * recording takes with each look.
     */
    public Map<Integer, ThreadProfile> takeProfiles() {
        return profile == null ? Map.of() : ids.outside(profile.take());
    }

    /** Whether a process is a JVM, only its user and root can see. */
    private void noteRefusal() {
        Path process = Path.of("/proc", Long.toString(pid));
        try (InputStream maps = Files.newInputStream(process.resolve("maps"))) {
            int _ = maps.read();
        } catch (AccessDeniedException e) {
            String owner = owner(process);
            notes.add("whether process " + pid
                    + " is a JVM, what it does in Java, and which lanes it publishes cannot be seen: it is" + " user "
                    + owner + "'s; run this " + (owner.equals("root") ? "as root" : "as that user, or as root"));
        } catch (IOException e) {
            // it has ended
        }
    }

    private static String owner(Path process) {
        try {
            return Files.getOwner(process).getName();
        } catch (IOException e) {
            return "another"; // it has ended
        }
    }

    private void openMemory() {
        try {
            sampler = new JavaSampler(new HotSpotThreads(pid, HotSpotLayout.of(pid)), kinds);
        } catch (LinuxException | IOException e) {
            notes.add(
                    "states are sampled once a look, not up to 50 times a second, and are inexact: " + e.getMessage());
        }
    }

    private void openSocket() {
        try {
            socket = AttachSocket.of(pid);
        } catch (IOException e) {
            notes.add("names are cut, " + (isProfiling() ? "locks, pauses and methods" : "locks and pauses")
                    + " are missing, and sleep counts as park, because the JVM cannot be attached to: "
                    + e.getMessage());
            return;
        }
        pauses = new PauseStream(socket, pid, profile);
    }

    /** Whether the process is a JVM. */
    public boolean isJvm() {
        return isJvm;
    }

    /** What is missing, and why: a text each, which may be known some time after the begin only; empty if nothing is. */
    public List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        String fault = pauses == null ? null : pauses.fault();
        if (fault != null) {
            all.add((isProfiling() ? "pauses and methods are" : "pauses are")
                    + " missing, because Flight Recorder cannot be used: " + fault);
        }
        return all;
    }

    /**
     * Reports what the JVM did since the look before.
     *
     * @param rows what {@link ThreadWatch#look} has just returned for the same process
     */
    public JavaLook look(List<ThreadRow> rows) {
        if (!isJvm) {
            return JavaLook.NOTHING;
        }
        Map<Integer, StateCounts> counts = sampler == null ? new HashMap<>() : sampler.take();
        boolean isDumped = dump(rows);
        ThreadDump dumped = dump;
        if (sampler == null && isDumped && dumped != null) {
            dumped.states().forEach((nativeId, state) -> {
                StateCounts one = new StateCounts();
                if (state == JavaState.RUNNING) {
                    one.addRunningOrWaiting();
                } else {
                    one.add(state);
                }
                counts.put(nativeId, one);
            });
        }
        totals.begin();
        Map<Integer, JavaThread> threads = new HashMap<>();
        for (ThreadRow row : rows) {
            int inside = ids.inside(row.id());
            JavaThread thread = thread(
                    row,
                    counts.get(inside),
                    dumped == null ? null : dumped.threads().get(inside));
            if (thread != null) {
                threads.put(row.id(), thread);
            }
        }
        totals.retain(threads.keySet());
        rows.stream().filter(ThreadRow::isEnded).forEach(row -> ids.ends(row.id()));
        return new JavaLook(
                threads,
                dumped == null ? Map.of() : Map.copyOf(ids.outside(dumped.others())),
                dumped == null ? List.of() : dumped.locks(),
                dumped == null ? List.of() : List.copyOf(dumped.deadlocks()),
                pauses == null ? List.of() : pauses.take(),
                virtualThreads);
    }

    private @Nullable JavaThread thread(
            ThreadRow row, @Nullable StateCounts counts, ThreadDump.@Nullable Dumped dumped) {
        if (counts == null && dumped == null) {
            return null;
        }
        StateTimes last = counts == null || row.last().elapsedNs() <= 0
                ? StateTimes.NONE
                : totals.add(row.id(), counts, row.last(), dumped != null && dumped.state == JavaState.SLEEPING);
        return new JavaThread(
                row.id(),
                dumped == null ? row.name() : dumped.name,
                dumped == null ? null : dumped.state,
                last,
                totals.of(row.id()),
                dumped == null ? null : dumped.waitsFor);
    }

    /** Whether another dump would tell something new. */
    private boolean isDue(long nowNs, Set<Integer> ids) {
        long sinceNs = nowNs - dumpedNs;
        boolean isOften = sampler == null || dumps < FIRST_DUMPS || !asked.containsAll(ids);
        return dump == null || sinceNs >= (isOften ? LEAST_NS : MOST_NS);
    }

    /** Has the JVM dump its threads, if that is due. @return whether it did */
    private boolean dump(List<ThreadRow> rows) {
        long now = System.nanoTime();
        Set<Integer> ids = new HashSet<>();
        rows.forEach(row -> ids.add(row.id()));
        if (socket == null || !isDue(now, ids)) {
            return false;
        }
        asked = ids;
        Map<Integer, Long> before = sampler == null ? Map.of() : sampler.places();
        try {
            dump = ThreadDump.of(socket.threadDump());
            dumpedNs = now;
            dumps++;
            virtualThreads = virtualThreads(socket, dump.carriers());
        } catch (IOException e) {
            return false; // it has ended, or is stopped
        }
        if (sampler != null) {
            sampler.learn(before, sampler.places(), dump.states());
        }
        return true;
    }

    private @Nullable VirtualThreads virtualThreads(AttachSocket jvm, int carriers) {
        if (carriers == 0) {
            return null;
        }
        if (knowsScheduler) {
            try {
                return VirtualThreads.of(carriers, jvm.virtualScheduler());
            } catch (IOException e) {
                knowsScheduler = false;
            }
        }
        return new VirtualThreads(carriers, -1, -1);
    }

    /** Ends the samples, and what was started in the JVM. */
    @Override
    public void close() {
        if (pauses != null) {
            pauses.close();
        }
        if (sampler != null) {
            sampler.close();
        }
    }
}
