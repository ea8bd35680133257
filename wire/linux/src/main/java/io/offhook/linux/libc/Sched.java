package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code sched.h}. Thread 0 is the calling thread. */
public final class Sched {
    private static final MethodHandle SET =
            CLibrary.function("sched_setaffinity", JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
    private static final MethodHandle GET =
            CLibrary.function("sched_getaffinity", JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
    private static final MethodHandle GETCPU = CLibrary.function("sched_getcpu", JAVA_INT);

    private Sched() {}

    public static int setAffinity(MemorySegment mask) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) SET.invokeExact(state, 0, mask.byteSize(), mask), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static int getAffinity(MemorySegment mask) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) GET.invokeExact(state, 0, mask.byteSize(), mask), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static int getCpu() {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) GETCPU.invokeExact(state), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
