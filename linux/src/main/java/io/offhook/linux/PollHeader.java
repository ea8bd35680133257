package io.offhook.linux;

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
final class PollHeader {
    static final int SIZE = 8;
    static final int EVENTS = 4;
    static final int REVENTS = 6;

    static final int POLLIN = 1;
    static final int POLLOUT = 4;
    static final int POLLERR = 8;

    private static final MethodHandle POLL = CLibrary.function("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

    private PollHeader() {}

    static int poll(MemorySegment descriptors, long count, int timeoutMs) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) POLL.invokeExact(state, descriptors, count, timeoutMs), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
