package io.offhook.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code sys/mman.h}. */
final class SysMman {
    static final int PROT_READ = 1;
    static final int PROT_WRITE = 2;
    static final int MAP_SHARED = 1;
    static final int MAP_PRIVATE = 2;
    static final int MAP_ANONYMOUS = 0x20;
    /** Makes the pages now: no fault while packets come. */
    static final int MAP_POPULATE = 0x8000;

    private static final MethodHandle MMAP =
            CLibrary.function("mmap", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = CLibrary.function("munmap", JAVA_INT, ADDRESS, JAVA_LONG);

    private SysMman() {}

    /** @return the address, or a negative errno (no address of user space is negative) */
    static long mmap(long bytes, int protection, int flags, int descriptor, long offset) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result(
                    (long) MMAP.invokeExact(state, MemorySegment.NULL, bytes, protection, flags, descriptor, offset),
                    state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    static int munmap(MemorySegment address, long bytes) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) MUNMAP.invokeExact(state, address, bytes), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
