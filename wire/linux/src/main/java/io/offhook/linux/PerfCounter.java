package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.linux.libc.PerfEventHeader;
import io.offhook.linux.libc.Unistd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Counts an event while one thread runs, on whatever processor: perf_event_open(2). Reading it is a system call. Not thread-safe.
 */
public final class PerfCounter implements AutoCloseable {
    private static final int READING_BYTES = 3 * Long.BYTES;
    private static final int EACCES = 13;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment reading = arena.allocate(READING_BYTES, Long.BYTES);
    private final int descriptor;
    private boolean isClosed;

    /** What is counted. */
    public enum Event {
        /** Cycles of the processor; virtual machines often have no counter for them. */
        CYCLES(PerfEventHeader.PERF_TYPE_HARDWARE, PerfEventHeader.PERF_COUNT_HW_CPU_CYCLES),
        /** Nanoseconds on a processor, as the kernel's scheduler counts them: there on each kernel with perf events. */
        TASK_CLOCK(PerfEventHeader.PERF_TYPE_SOFTWARE, PerfEventHeader.PERF_COUNT_SW_TASK_CLOCK);

        private final int type;
        private final int config;

        Event(int type, int config) {
            this.type = type;
            this.config = config;
        }
    }

    private PerfCounter(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Counts an event of a thread from now on; in user mode only, where this user may not count what the kernel does.
     *
     * @param thread its number, as gettid(2) has it
     * @throws LinuxException ENOENT if the processor has no such counter, ESRCH if there is no such thread, EACCES or EPERM if it is
     *     not ours to look at ({@code /proc/sys/kernel/perf_event_paranoid}), EMFILE if too many files are open
     */
    public static PerfCounter open(int thread, Event event) {
        int descriptor = open(thread, event, 0);
        if (descriptor == -EACCES) {
            descriptor = open(thread, event, PerfEventHeader.EXCLUDE_KERNEL);
        }
        return new PerfCounter(LinuxException.check(descriptor, "perf_event_open for thread " + thread));
    }

    private static int open(int thread, Event event, long flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(PerfEventHeader.ATTRIBUTE_BYTES, Long.BYTES);
            attribute.set(JAVA_INT, PerfEventHeader.TYPE, event.type);
            attribute.set(JAVA_INT, PerfEventHeader.SIZE, PerfEventHeader.ATTRIBUTE_BYTES);
            attribute.set(JAVA_LONG, PerfEventHeader.CONFIG, event.config);
            attribute.set(JAVA_LONG, PerfEventHeader.READ_FORMAT, PerfEventHeader.PERF_FORMAT_TIMES);
            attribute.set(JAVA_LONG, PerfEventHeader.FLAGS, flags);
            return PerfEventHeader.open(attribute, thread);
        }
    }

    /**
     * What was counted since it was opened. Where the processor has fewer counters than are asked for, they take turns, and the
     * count is what it would have been with one of its own.
     *
     * @throws LinuxException if it cannot be read
     */
    public long read() {
        long octets = Unistd.read(descriptor, reading, READING_BYTES);
        LinuxException.check((int) octets, "reading a counter of events");
        long count = reading.getAtIndex(JAVA_LONG, 0);
        long wantedNs = reading.getAtIndex(JAVA_LONG, 1);
        long countedNs = reading.getAtIndex(JAVA_LONG, 2);
        return countedNs == 0 || countedNs == wantedNs ? count : Math.round(count * ((double) wantedNs / countedNs));
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            Unistd.close(descriptor);
            arena.close();
        }
    }
}
