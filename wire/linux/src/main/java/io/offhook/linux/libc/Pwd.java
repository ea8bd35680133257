package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code pwd.h}. Struct passwd has name and password (addresses), user (32), group (32), and three further addresses; a
 * test compares the offsets with the C compiler's.
 */
public final class Pwd {
    public static final int PASSWD_BYTES = 48;
    public static final int PASSWD_USER = 16;
    public static final int PASSWD_GROUP = 20;

    private static final MethodHandle GETPWNAM_R =
            CLibrary.function("getpwnam_r", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);

    private Pwd() {}

    /**
     * Looks up an account in the system's user databases.
     *
     * @param found receives the address of {@code account}, or NULL if there is no such account
     * @return 0 or an errno; this function does not set errno
     */
    public static int getpwnam(MemorySegment name, MemorySegment account, MemorySegment texts, MemorySegment found) {
        MemorySegment state = CLibrary.state();
        try {
            return (int) GETPWNAM_R.invokeExact(state, name, account, texts, texts.byteSize(), found);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
