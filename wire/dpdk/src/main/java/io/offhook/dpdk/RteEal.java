package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.linux.raw.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code rte_eal.h}, {@code rte_lcore.h}, {@code rte_log.h}, {@code rte_dev.h}, {@code rte_errno.h}. */
final class RteEal {
    private static final MethodHandle INIT =
            DpdkLibraries.function(DpdkLibraries.EAL, "rte_eal_init", JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle CLEANUP = DpdkLibraries.function(DpdkLibraries.EAL, "rte_eal_cleanup", JAVA_INT);
    private static final MethodHandle THREAD_REGISTER =
            DpdkLibraries.function(DpdkLibraries.EAL, "rte_thread_register", JAVA_INT);
    private static final MethodHandle THREAD_UNREGISTER =
            DpdkLibraries.procedure(DpdkLibraries.EAL, "rte_thread_unregister");
    private static final MethodHandle OPENLOG_STREAM =
            DpdkLibraries.function(DpdkLibraries.EAL, "rte_openlog_stream", JAVA_INT, JAVA_LONG);
    private static final MethodHandle DEV_PROBE =
            DpdkLibraries.function(DpdkLibraries.EAL, "rte_dev_probe", JAVA_INT, ADDRESS);
    private static final MethodHandle DEV_REMOVE =
            DpdkLibraries.function(DpdkLibraries.EAL, "rte_dev_remove", JAVA_INT, JAVA_LONG);
    private static final MethodHandle STRERROR =
            DpdkLibraries.function(DpdkLibraries.EAL, "rte_strerror", JAVA_LONG, JAVA_INT);

    private RteEal() {}

    /** @return the number of arguments used, or -1 with the reason in {@link #errno} */
    static int init(int count, MemorySegment arguments) {
        try {
            return (int) INIT.invokeExact(count, arguments);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    static int cleanup() {
        try {
            return (int) CLEANUP.invokeExact();
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** @return 0, or -1 with the reason in {@link #errno} */
    static int threadRegister() {
        try {
            return (int) THREAD_REGISTER.invokeExact();
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    static void threadUnregister() {
        try {
            THREAD_UNREGISTER.invokeExact();
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** @param stream a FILE *; 0 for standard error and syslog */
    static int openLogStream(long stream) {
        try {
            return (int) OPENLOG_STREAM.invokeExact(stream);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** @return 0, or a negative errno */
    static int devProbe(String device) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) DEV_PROBE.invokeExact(arena.allocateFrom(device));
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /**
     * @param device the address of its struct rte_device
     * @return 0, or a negative errno
     */
    static int devRemove(long device) {
        try {
            return (int) DEV_REMOVE.invokeExact(device);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** Returns the reason why the last call of this thread failed: a thread-local variable, which dlsym(3) finds. */
    static int errno() {
        return DpdkLibraries.present(DpdkLibraries.EAL)
                .find("per_lcore__rte_errno")
                .map(variable ->
                        NativeLibrary.memory(variable.address(), Integer.BYTES).get(JAVA_INT, 0))
                .orElse(0);
    }

    static String strerror(int errno) {
        try {
            return DpdkLibraries.text((long) STRERROR.invokeExact(errno));
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }
}
