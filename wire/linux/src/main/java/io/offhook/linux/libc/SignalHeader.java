package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code signal.h}. */
public final class SignalHeader {
    /** The kernel's default action. */
    public static final long SIG_DFL = 0;

    public static final long SIG_IGN = 1;

    /** The handler is an address; only the constants above are used here. */
    private static final MethodHandle SIGNAL = CLibrary.function("signal", JAVA_LONG, JAVA_INT, JAVA_LONG);

    private SignalHeader() {}

    /** @return the previous handler, or a negative errno (user space addresses are not negative) */
    public static long signal(int number, long handler) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((long) SIGNAL.invokeExact(state, number, handler), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
