package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code poll.h}.
 *
 * <pre>
 *    0                                     32                  48                  64
 *   +-------------------------------------+-------------------+-------------------+
 *   |                 fd                  |      events       |      revents      |     struct pollfd
 *   +-------------------------------------+-------------------+-------------------+
 * </pre>
 */
public final class PollHeader {
    public static final int SIZE = 8;
    public static final int EVENTS = 4;
    public static final int REVENTS = 6;

    public static final int POLLIN = 1;
    public static final int POLLOUT = 4;
    public static final int POLLERR = 8;

    private static final MethodHandle POLL = CLibrary.function("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

    /** struct timespec, of seconds and nanoseconds. */
    public static final int TIME_BYTES = 16;

    public static final int TIME_NANOSECONDS = 8;

    /** Apart, so that it is linked only by what waits for less than a millisecond. */
    private static final class Precise {
        static final MethodHandle PPOLL = CLibrary.function("ppoll", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    }

    private PollHeader() {}

    public static int poll(MemorySegment descriptors, long count, int timeoutMs) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) POLL.invokeExact(state, descriptors, count, timeoutMs), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    /** @param timeout a struct timespec */
    public static int ppoll(MemorySegment descriptors, long count, MemorySegment timeout) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result(
                    (int) Precise.PPOLL.invokeExact(state, descriptors, count, timeout, MemorySegment.NULL), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
