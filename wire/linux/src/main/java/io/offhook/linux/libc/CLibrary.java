package io.offhook.linux.libc;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Links the header classes to the C library. Each function captures errno in {@link #state()}, which is the first
 * argument of its handle, and returns through {@link #result}.
 */
@SuppressWarnings("restricted")
public // the purpose of this class
final class CLibrary {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

    /** One per thread: errno is per thread as well, and lanes call without allocating. */
    private static final ThreadLocal<MemorySegment> STATES =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

    private CLibrary() {}

    /** Links a function that sets errno. */
    public static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }

    /** Links a function that sets errno, with variadic arguments from index {@code fixed} on. */
    static MethodHandle variadic(String name, int fixed, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(fixed));
    }

    /** The memory in which the calling thread captures errno. */
    public static MemorySegment state() {
        return STATES.get();
    }

    /** The result of a function; the negative errno if the result is -1. */
    static int result(int returned, MemorySegment state) {
        return returned == -1 ? -(int) ERRNO.get(state, 0L) : returned;
    }

    /** As {@link #result(int, MemorySegment)}. */
    static long result(long returned, MemorySegment state) {
        return returned == -1 ? -(int) ERRNO.get(state, 0L) : returned;
    }

    /** The error for an exception from a handle: none of these functions throws, so this is a bug. */
    static AssertionError impossible(Throwable e) {
        return new AssertionError("internal error: a call to the C library failed", e);
    }

    /** A C string owned by the library, never freed; null if the function does not exist (musl) or returns NULL. */
    public static @Nullable String text(String function, int argument) {
        AddressLayout string =
                ValueLayout.ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(TEXT_BYTES, ValueLayout.JAVA_BYTE));
        return LINKER.defaultLookup()
                .find(function)
                .map(symbol -> {
                    try {
                        MemorySegment text = (MemorySegment)
                                LINKER.downcallHandle(symbol, FunctionDescriptor.of(string, ValueLayout.JAVA_INT))
                                        .invokeExact(argument);
                        return text.address() == 0 ? null : text.getString(0);
                    } catch (Throwable e) {
                        throw impossible(e);
                    }
                })
                .orElse(null);
    }

    private static final long TEXT_BYTES = 1024;
}
