package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code sys/mman.h}. */
public final class SysMman {
    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;
    public static final int MAP_SHARED = 1;
    public static final int MAP_PRIVATE = 2;
    public static final int MAP_ANONYMOUS = 0x20;
    /** Allocates the pages immediately, so that no page fault occurs later. */
    public static final int MAP_POPULATE = 0x8000;

    private static final MethodHandle MMAP =
            CLibrary.function("mmap", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = CLibrary.function("munmap", JAVA_INT, ADDRESS, JAVA_LONG);

    private SysMman() {}

    /** @return the address, or a negative errno (user space addresses are not negative) */
    public static long mmap(long bytes, int protection, int flags, int descriptor, long offset) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result(
                    (long) MMAP.invokeExact(state, MemorySegment.NULL, bytes, protection, flags, descriptor, offset),
                    state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static int munmap(MemorySegment address, long bytes) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) MUNMAP.invokeExact(state, address, bytes), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
