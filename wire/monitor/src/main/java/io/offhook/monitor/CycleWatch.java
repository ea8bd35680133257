package io.offhook.monitor;

import io.offhook.linux.LinuxException;
import io.offhook.linux.PerfCounter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the cycles of the processor that each thread of a process takes, by perf events of the kernel, one open file a thread.
 * Where processor or kernel have no such counter, or do not let this user at it, {@link #missing} says why. Not thread-safe.
 */
public final class CycleWatch implements AutoCloseable {
    private static final int ENOENT = 2;
    private static final int ESRCH = 3;
    private static final int EACCES = 13;

    private final PerfCounter.Event event;
    private final Map<Integer, PerfCounter> counters = new HashMap<>();
    private final Map<Integer, Counted> counted = new HashMap<>();
    private @Nullable String missing;

    /**
     * What a thread took since its counter was opened.
     *
     * @param cycles of the processor
     * @param ranNs nanoseconds on a processor, as {@link ThreadUse} has them
     */
    public record Counted(long cycles, long ranNs) {
        /** Cycles a nanosecond, the clock of the processor in GHz; NaN if it did not run. */
        public double gigahertz() {
            return ranNs <= 0 ? Double.NaN : (double) cycles / ranNs;
        }
    }

    CycleWatch(PerfCounter.Event event) {
        this.event = event;
    }

    /** Starts with no threads. */
    public static CycleWatch create() {
        return new CycleWatch(PerfCounter.Event.CYCLES);
    }

    /** Reads the counters of these threads, which are all of the process; those of new ones begin. */
    public void look(List<ThreadRow> rows) {
        Set<Integer> there = new HashSet<>();
        for (ThreadRow row : rows) {
            if (!row.isEnded()) {
                there.add(row.id());
                look(row);
            }
        }
        counters.entrySet().removeIf(entry -> {
            boolean isGone = !there.contains(entry.getKey());
            if (isGone) {
                entry.getValue().close();
            }
            return isGone;
        });
    }

    private void look(ThreadRow row) {
        PerfCounter counter = counters.get(row.id());
        if (counter == null) {
            begin(row.id());
            return;
        }
        try {
            Counted before = counted.getOrDefault(row.id(), new Counted(0, 0));
            long ranNs = row.last().userNs() + row.last().systemNs();
            counted.put(row.id(), new Counted(counter.read(), before.ranNs() + ranNs));
        } catch (LinuxException e) {
            missing = e.getMessage();
        }
    }

    private void begin(int thread) {
        if (missing != null) {
            return;
        }
        try {
            counters.put(thread, PerfCounter.open(thread, event));
            counted.remove(thread); // of one that had the number before
        } catch (LinuxException e) {
            missing = e.errno() == ESRCH ? null : reason(e);
        }
    }

    private static String reason(LinuxException e) {
        return switch (e.errno()) {
            case ENOENT, LinuxException.EOPNOTSUPP ->
                "this processor has no counter of cycles; virtual machines often have none";
            case EACCES, LinuxException.EPERM ->
                "cycles may not be counted by this user; run as root, or set kernel.perf_event_paranoid to 1";
            default -> "cycles of some threads are not counted: " + e.getMessage();
        };
    }

    /** What was counted of a thread, also of one that has ended; null if nothing was. */
    public @Nullable Counted of(int thread) {
        return counted.get(thread);
    }

    /** Why threads have no cycles, in words; null if all have. */
    public @Nullable String missing() {
        return missing;
    }

    @Override
    public void close() {
        counters.values().forEach(PerfCounter::close);
        counters.clear();
    }
}
