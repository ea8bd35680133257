package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code linux/perf_event.h}: perf_event_open(2), for which the C library has no function, and the used part of its
 * {@code struct perf_event_attr}. Numbers are in native byte order; a test compares the offsets with the C compiler's.
 */
public final class PerfEventHeader {
    public static final int PERF_TYPE_HARDWARE = 0;
    public static final int PERF_TYPE_SOFTWARE = 1;
    public static final int PERF_COUNT_HW_CPU_CYCLES = 0;
    public static final int PERF_COUNT_SW_TASK_CLOCK = 1;

    /** {@code read_format}: a reading has the time in which the event was to be counted, and that in which it was. */
    public static final long PERF_FORMAT_TIMES = 1 | 2;

    public static final int TYPE = 0;
    public static final int SIZE = 4;
    public static final int CONFIG = 8;
    public static final int READ_FORMAT = 32;
    /** The bits {@code disabled}, {@code inherit} and so on. */
    public static final int FLAGS = 40;

    /** The bits {@code exclude_kernel} and {@code exclude_hv}. */
    public static final long EXCLUDE_KERNEL = 1 << 5 | 1 << 6;

    /** PERF_ATTR_SIZE_VER0, which each kernel knows. */
    public static final int ATTRIBUTE_BYTES = 64;

    private static final long ANY_PROCESSOR = -1;
    private static final long NO_GROUP = -1;
    private static final long CLOEXEC = 8;

    private static final MethodHandle SYSCALL =
            CLibrary.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final long NUMBER = number(System.getProperty("os.arch"));

    private PerfEventHeader() {}

    /**
     * The number of the system call, __NR_perf_event_open.
     *
     * @param architecture the name in Java; newer architectures share one table
     */
    static long number(String architecture) {
        return switch (architecture) {
            case "amd64" -> 298;
            case "ppc64", "ppc64le" -> 319;
            case "s390x" -> 331;
            default -> 241;
        };
    }

    /**
     * Opens an event of one thread on whatever processor it runs.
     *
     * @param thread its number
     * @return a descriptor, or a negative errno
     */
    public static int open(MemorySegment attribute, int thread) {
        MemorySegment state = CLibrary.state();
        try {
            return (int) CLibrary.result(
                    (long) SYSCALL.invokeExact(
                            state, NUMBER, attribute, (long) thread, ANY_PROCESSOR, NO_GROUP, CLOEXEC),
                    state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
