package io.offhook.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code linux/bpf.h}: bpf(2), for which the C library has no function, and the used part of its
 * {@code union bpf_attr}. Numbers are in native byte order; a test compares the offsets with the C compiler's.
 */
public final class Bpf {
    public static final int BPF_MAP_CREATE = 0;
    public static final int BPF_MAP_UPDATE_ELEM = 2;
    public static final int BPF_MAP_DELETE_ELEM = 3;
    public static final int BPF_PROG_LOAD = 5;
    public static final int BPF_PROG_TEST_RUN = 10;
    public static final int BPF_LINK_CREATE = 28;

    public static final int BPF_MAP_TYPE_PERCPU_ARRAY = 6;
    public static final int BPF_MAP_TYPE_XSKMAP = 17;
    public static final int BPF_PROG_TYPE_SOCKET_FILTER = 1;
    public static final int BPF_PROG_TYPE_XDP = 6;
    /** The attach type of a link to the receive path of an interface. */
    public static final int BPF_XDP = 37;

    public static final int BPF_F_XDP_HAS_FRAGS = 1 << 5;

    /** Larger than the used part of union bpf_attr; the kernel accepts longer ones than it knows if the rest is 0. */
    public static final int ATTRIBUTE_BYTES = 128;

    /** BPF_MAP_CREATE. */
    public static final int MAP_TYPE = 0;

    public static final int MAP_KEY_BYTES = 4;
    public static final int MAP_VALUE_BYTES = 8;
    public static final int MAP_ENTRIES = 12;

    /** BPF_MAP_UPDATE_ELEM, BPF_MAP_DELETE_ELEM. */
    public static final int ELEMENT_MAP = 0;

    public static final int ELEMENT_KEY = 8;
    public static final int ELEMENT_VALUE = 16;

    /** BPF_PROG_LOAD. */
    public static final int PROGRAM_TYPE = 0;

    public static final int PROGRAM_LENGTH = 4;
    public static final int PROGRAM_INSTRUCTIONS = 8;
    public static final int PROGRAM_LICENSE = 16;
    public static final int PROGRAM_LOG_LEVEL = 24;
    public static final int PROGRAM_LOG_BYTES = 28;
    public static final int PROGRAM_LOG = 32;
    public static final int PROGRAM_FLAGS = 44;
    public static final int PROGRAM_NAME = 48;
    static final int PROGRAM_NAME_BYTES = 16;
    public static final int PROGRAM_ATTACH_TYPE = 68;

    /** BPF_PROG_TEST_RUN. */
    public static final int TEST_PROGRAM = 0;

    public static final int TEST_RESULT = 4;
    public static final int TEST_DATA_BYTES = 8;
    public static final int TEST_DATA = 16;

    /** BPF_LINK_CREATE. */
    public static final int LINK_PROGRAM = 0;

    public static final int LINK_INTERFACE = 4;
    public static final int LINK_ATTACH_TYPE = 8;
    public static final int LINK_FLAGS = 12;

    private static final MethodHandle SYSCALL =
            CLibrary.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
    static final long NUMBER = number(System.getProperty("os.arch"));

    private Bpf() {}

    /**
     * The number of the system call, __NR_bpf.
     *
     * @param architecture the name in Java; newer architectures share one table
     */
    static long number(String architecture) {
        return switch (architecture) {
            case "amd64" -> 321;
            case "ppc64", "ppc64le" -> 361;
            case "s390x" -> 351;
            default -> 280;
        };
    }

    /** @return the result of the command, or a negative errno */
    public static int bpf(int command, MemorySegment attribute) {
        MemorySegment state = CLibrary.state();
        try {
            return (int) CLibrary.result(
                    (long) SYSCALL.invokeExact(state, NUMBER, (long) command, attribute, attribute.byteSize()), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
