package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code unistd.h}, and {@code sys/eventfd.h}, whose descriptors are read and written here. */
public final class Unistd {
    private static final MethodHandle CLOSE = CLibrary.function("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle READ = CLibrary.function("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle WRITE = CLibrary.function("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle EVENTFD = CLibrary.function("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle SETUID = CLibrary.function("setuid", JAVA_INT, JAVA_INT);
    private static final MethodHandle SETGID = CLibrary.function("setgid", JAVA_INT, JAVA_INT);

    /** EFD_NONBLOCK and EFD_CLOEXEC, which are O_NONBLOCK and O_CLOEXEC. */
    public static final int EVENTFD_FLAGS = 0x800 | 0x80000;

    private Unistd() {}

    public static int close(int descriptor) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) CLOSE.invokeExact(state, descriptor), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static long read(int descriptor, MemorySegment bytes, long length) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((long) READ.invokeExact(state, descriptor, bytes, length), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static long write(int descriptor, MemorySegment bytes, long length) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((long) WRITE.invokeExact(state, descriptor, bytes, length), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static int eventfd(int value, int flags) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) EVENTFD.invokeExact(state, value, flags), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static int setuid(int user) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) SETUID.invokeExact(state, user), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static int setgid(int group) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) SETGID.invokeExact(state, group), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
