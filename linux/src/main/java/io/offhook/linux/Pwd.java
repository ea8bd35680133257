package io.offhook.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code pwd.h}. Of struct passwd: name, password (both addresses), user (32), group (32), and three addresses more; a test
 * holds the offsets against the C compiler's.
 */
final class Pwd {
    static final int PASSWD_BYTES = 48;
    static final int PASSWD_USER = 16;
    static final int PASSWD_GROUP = 20;

    private static final MethodHandle GETPWNAM_R =
            CLibrary.function("getpwnam_r", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);

    private Pwd() {}

    /**
     * Looks an account up, by whatever the system keeps them in.
     *
     * @param found where the address of {@code account} goes, or NULL where there is none of that name
     * @return 0, or an errno: this one does not set it
     */
    static int getpwnam(MemorySegment name, MemorySegment account, MemorySegment texts, MemorySegment found) {
        MemorySegment state = CLibrary.state();
        try {
            return (int) GETPWNAM_R.invokeExact(state, name, account, texts, texts.byteSize(), found);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
