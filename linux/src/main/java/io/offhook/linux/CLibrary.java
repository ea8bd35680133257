package io.offhook.linux;

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
 * How the header classes are linked to the C library. Each function of theirs keeps errno in {@link #state()}, which is
 * the first argument of its handle, and answers by {@link #result}.
 */
@SuppressWarnings("restricted") // that is what it is for
final class CLibrary {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

    /** One a thread: errno is the thread's too, and lanes call without allocating. */
    private static final ThreadLocal<MemorySegment> STATES =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

    private CLibrary() {}

    /** A function that tells errno. */
    static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }

    /** A function that tells errno, and whose arguments from {@code fixed} on are those that "..." stands for. */
    static MethodHandle variadic(String name, int fixed, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(fixed));
    }

    /** Where the calling thread keeps errno. */
    static MemorySegment state() {
        return STATES.get();
    }

    /** What a function returned, or, where that was -1, the negative errno. */
    static int result(int returned, MemorySegment state) {
        return returned == -1 ? -(int) ERRNO.get(state, 0L) : returned;
    }

    /** As {@link #result(int, MemorySegment)}. */
    static long result(long returned, MemorySegment state) {
        return returned == -1 ? -(int) ERRNO.get(state, 0L) : returned;
    }

    /** What invoking a handle threw: none of these functions throws, so it is a mistake of ours. */
    static AssertionError impossible(Throwable e) {
        return new AssertionError("a call into the C library failed to be made", e);
    }

    /** A C string of the library's own, never freed; null where the function is not there (musl) or gives none. */
    static @Nullable String text(String function, int argument) {
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
