package io.offhook.research.layout;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.research.NativeCode;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The functions of layout.c: each sums up many structures in one critical call, whose cost is negligible. */
final class LayoutNatives {
    private static final NativeCode CODE = new NativeCode("layout");
    static final MethodHandle PADDED = sum("padded");
    static final MethodHandle PACKED = sum("packed");
    static final MethodHandle SORTED = sum("sorted");
    static final MethodHandle ALIGNED = sum("aligned");
    static final MethodHandle MISALIGNED = sum("misaligned");
    static final MethodHandle LINES = sum("lines");
    static final MethodHandle LITTLE = sum("little");
    static final MethodHandle BIG = sum("big");

    private LayoutNatives() {}

    private static MethodHandle sum(String what) {
        return CODE.downcall(
                "offhook_sum_" + what,
                FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG),
                Linker.Option.critical(false));
    }

    static long call(MethodHandle function, MemorySegment at, long count) {
        try {
            return (long) function.invokeExact(at, count);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
