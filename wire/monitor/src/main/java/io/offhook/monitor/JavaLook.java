package io.offhook.monitor;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a JVM did until a look at it.
 *
 * @param threads those that run Java code, by their native ids
 * @param otherNames the names of threads of the JVM that run no Java code, such as those of its garbage collector, by their native
 *     ids
 * @param locks that threads wait for
 * @param deadlocks that there are
 * @param pauses that ended since the look before, in the order of time
 * @param virtualThreads null if there are none, or the JVM has none
 */
public record JavaLook(
        Map<Integer, JavaThread> threads,
        Map<Integer, String> otherNames,
        List<JavaLock> locks,
        List<Deadlock> deadlocks,
        List<Pause> pauses,
        @Nullable VirtualThreads virtualThreads) {
    /** Of a process that is no JVM, or has ended. */
    public static final JavaLook NOTHING = new JavaLook(Map.of(), Map.of(), List.of(), List.of(), List.of(), null);
}
