package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code signal.h}. */
final class SignalHeader {
    /** What the kernel does with it where nothing else was said. */
    static final long SIG_DFL = 0;

    static final long SIG_IGN = 1;

    /** The handler is an address, but only these two are set here. */
    private static final MethodHandle SIGNAL = CLibrary.function("signal", JAVA_LONG, JAVA_INT, JAVA_LONG);

    private SignalHeader() {}

    /** @return the handler before, or a negative errno (no address of user space is negative) */
    static long signal(int number, long handler) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((long) SIGNAL.invokeExact(state, number, handler), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
