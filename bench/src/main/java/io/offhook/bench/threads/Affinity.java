package io.offhook.bench.threads;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Which processors a thread may run on: sched.h of Linux. */
final class Affinity {
    /** For 8,192 processors. */
    private static final int MASK_BYTES = 1024;

    private Affinity() {}

    /** The functions; only where there are such. */
    private static final class Functions {
        static final Linker LINKER = Linker.nativeLinker();
        static final MemoryLayout STATE = Linker.Option.captureStateLayout();
        static final MethodHandle SET = function("sched_setaffinity");
        static final MethodHandle GET = function("sched_getaffinity");

        private static MethodHandle function(String name) {
            return LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow(name),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                    Linker.Option.captureCallState("errno"));
        }
    }

    /** Why threads cannot be pinned; null where they can. */
    static @Nullable String missing() {
        String system = System.getProperty("os.name");
        return system.equals("Linux") ? null : system + " has no sched_setaffinity";
    }

    /** The processors that the calling thread may run on, in ascending order. */
    static int[] processors() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, 8);
            call("sched_getaffinity", Functions.GET, mask, arena);
            return IntStream.range(0, MASK_BYTES * 8)
                    .filter(i -> (mask.get(JAVA_BYTE, i / 8) >>> i % 8 & 1) != 0)
                    .toArray();
        }
    }

    /**
     * Lets the calling thread run on one processor only.
     *
     * @throws IllegalStateException when it must not, with errno
     */
    static void pin(int processor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, 8);
            mask.set(JAVA_BYTE, processor / 8, (byte) (1 << processor % 8));
            call("sched_setaffinity", Functions.SET, mask, arena);
        }
    }

    private static void call(String name, MethodHandle function, MemorySegment mask, Arena arena) {
        MemorySegment state = arena.allocate(Functions.STATE);
        int result;
        try {
            // 0 is the calling thread
            result = (int) function.invokeExact(state, 0, (long) MASK_BYTES, mask);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        if (result < 0) {
            int errno = state.get(JAVA_INT, Functions.STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno")));
            throw new IllegalStateException(name + " failed with errno " + errno);
        }
    }
}
