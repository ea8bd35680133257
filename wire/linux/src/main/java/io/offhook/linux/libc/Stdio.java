package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code stdio.h}: streams of the C library, for other libraries to write to. */
public final class Stdio {
    private static final MethodHandle FMEMOPEN = CLibrary.function("fmemopen", JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
    private static final MethodHandle FSEEK = CLibrary.function("fseek", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle FFLUSH = CLibrary.function("fflush", JAVA_INT, JAVA_LONG);
    private static final MethodHandle FCLOSE = CLibrary.function("fclose", JAVA_INT, JAVA_LONG);

    private static final int SEEK_SET = 0;

    private Stdio() {}

    /** @return the address of the stream; 0 on failure */
    public static long fmemopen(MemorySegment memory, long bytes, MemorySegment mode) {
        try {
            return (long) FMEMOPEN.invokeExact(CLibrary.state(), memory, bytes, mode);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    /** Seeks to the start; unlike rewind(3), it reports errors. */
    public static int rewind(long stream) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) FSEEK.invokeExact(state, stream, 0L, SEEK_SET), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static int fflush(long stream) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) FFLUSH.invokeExact(state, stream), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }

    public static int fclose(long stream) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) FCLOSE.invokeExact(state, stream), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
