package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code time.h}. The layout is that of 64-bit systems.
 *
 * <pre>
 *   struct timespec
 *   +--------------------------+ 0
 *   | seconds                  |
 *   | nanoseconds              | 8
 *   +--------------------------+ 16
 * </pre>
 */
public final class TimeHeader {
    public static final int CLOCK_REALTIME = 0;

    /** The size of struct timespec. */
    public static final int TIMESPEC_BYTES = 16;

    public static final int TIMESPEC_NANOSECONDS = 8;

    private static final MethodHandle CLOCK_GETTIME = CLibrary.function("clock_gettime", JAVA_INT, JAVA_INT, ADDRESS);

    private TimeHeader() {}

    /** @param time receives a struct timespec */
    public static int clockGettime(int clock, MemorySegment time) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) CLOCK_GETTIME.invokeExact(state, clock, time), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
