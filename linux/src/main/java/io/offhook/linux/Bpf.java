package io.offhook.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code linux/bpf.h}: bpf(2), for which the C library has no function of its own, and what of its {@code union bpf_attr}
 * is used. Numbers are in the byte order of the machine; a test holds them against the C compiler's.
 */
final class Bpf {
    static final int BPF_MAP_CREATE = 0;
    static final int BPF_MAP_UPDATE_ELEM = 2;
    static final int BPF_MAP_DELETE_ELEM = 3;
    static final int BPF_PROG_LOAD = 5;
    static final int BPF_PROG_TEST_RUN = 10;
    static final int BPF_LINK_CREATE = 28;

    static final int BPF_MAP_TYPE_XSKMAP = 17;
    static final int BPF_PROG_TYPE_XDP = 6;
    /** Where a link attaches: to the receive path of an interface. */
    static final int BPF_XDP = 37;

    static final int BPF_F_XDP_HAS_FRAGS = 1 << 5;

    /** More than is used of union bpf_attr; the kernel takes longer ones than it knows where the rest is 0. */
    static final int ATTRIBUTE_BYTES = 128;

    /** BPF_MAP_CREATE. */
    static final int MAP_TYPE = 0;

    static final int MAP_KEY_BYTES = 4;
    static final int MAP_VALUE_BYTES = 8;
    static final int MAP_ENTRIES = 12;

    /** BPF_MAP_UPDATE_ELEM, BPF_MAP_DELETE_ELEM. */
    static final int ELEMENT_MAP = 0;

    static final int ELEMENT_KEY = 8;
    static final int ELEMENT_VALUE = 16;

    /** BPF_PROG_LOAD. */
    static final int PROGRAM_TYPE = 0;

    static final int PROGRAM_LENGTH = 4;
    static final int PROGRAM_INSTRUCTIONS = 8;
    static final int PROGRAM_LICENSE = 16;
    static final int PROGRAM_LOG_LEVEL = 24;
    static final int PROGRAM_LOG_BYTES = 28;
    static final int PROGRAM_LOG = 32;
    static final int PROGRAM_FLAGS = 44;
    static final int PROGRAM_NAME = 48;
    static final int PROGRAM_NAME_BYTES = 16;
    static final int PROGRAM_ATTACH_TYPE = 68;

    /** BPF_PROG_TEST_RUN. */
    static final int TEST_PROGRAM = 0;

    static final int TEST_RESULT = 4;
    static final int TEST_DATA_BYTES = 8;
    static final int TEST_DATA = 16;

    /** BPF_LINK_CREATE. */
    static final int LINK_PROGRAM = 0;

    static final int LINK_INTERFACE = 4;
    static final int LINK_ATTACH_TYPE = 8;
    static final int LINK_FLAGS = 12;

    private static final MethodHandle SYSCALL =
            CLibrary.variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
    static final long NUMBER = number(System.getProperty("os.arch"));

    private Bpf() {}

    /**
     * __NR_bpf.
     *
     * @param architecture as Java calls it: the younger ones share one list
     */
    static long number(String architecture) {
        return switch (architecture) {
            case "amd64" -> 321;
            case "ppc64", "ppc64le" -> 361;
            case "s390x" -> 351;
            default -> 280;
        };
    }

    /** @return as the command has it, or a negative errno */
    static int bpf(int command, MemorySegment attribute) {
        MemorySegment state = CLibrary.state();
        try {
            return (int) CLibrary.result(
                    (long) SYSCALL.invokeExact(state, NUMBER, (long) command, attribute, attribute.byteSize()), state);
        } catch (Throwable e) {
            throw CLibrary.impossible(e);
        }
    }
}
