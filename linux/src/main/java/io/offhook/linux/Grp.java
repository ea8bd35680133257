package io.offhook.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code grp.h}. */
final class Grp {
    private static final MethodHandle INITGROUPS = CLibrary.function("initgroups", JAVA_INT, ADDRESS, JAVA_INT);

    private Grp() {}

    /** Gives the process, in all its threads, the groups of a user, and one more. */
    static int initgroups(MemorySegment user, int group) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) INITGROUPS.invokeExact(state, user, group), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
