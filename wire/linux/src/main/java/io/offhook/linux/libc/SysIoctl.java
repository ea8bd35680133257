package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code sys/ioctl.h}. */
public final class SysIoctl {
    private static final MethodHandle IOCTL = CLibrary.variadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);

    private SysIoctl() {}

    public static int ioctl(int descriptor, long request, MemorySegment argument) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) IOCTL.invokeExact(state, descriptor, request, argument), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
