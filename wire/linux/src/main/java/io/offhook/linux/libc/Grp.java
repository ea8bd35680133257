package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code grp.h}. */
public final class Grp {
    private static final MethodHandle INITGROUPS = CLibrary.function("initgroups", JAVA_INT, ADDRESS, JAVA_INT);

    private Grp() {}

    /** Sets the groups of the process, in all its threads, to those of a user and one more. */
    public static int initgroups(MemorySegment user, int group) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result((int) INITGROUPS.invokeExact(state, user, group), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
