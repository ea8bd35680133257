package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code sys/uio.h}.
 *
 * <pre>
 *    0                   64                  128
 *   +-------------------+-------------------+
 *   |     iov_base      |      iov_len      |     struct iovec
 *   +-------------------+-------------------+
 * </pre>
 */
public final class SysUio {
    public static final int IOVEC_BYTES = 16;
    public static final int IOVEC_LENGTH = 8;
    /** The most pieces that one call takes. */
    public static final int IOV_MAX = 1024;

    private static final MethodHandle READ = CLibrary.function(
            "process_vm_readv", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);

    private SysUio() {}

    /** @return the bytes read, which end before the first remote piece that is not readable, or a negative errno */
    public static long processVmReadv(
            int process, MemorySegment local, long localCount, MemorySegment remote, long remoteCount) {
        MemorySegment state = CLibrary.state();
        try {
            return CLibrary.result(
                    (long) READ.invokeExact(state, process, local, localCount, remote, remoteCount, 0L), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
