package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.offhook.linux.LinuxException;
import io.offhook.linux.libc.Bpf;
import io.offhook.linux.libc.Unistd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A program of the eXpress Data Path: the kernel runs it for each frame that an interface receives, and acts on its
 * result. It stays attached as long as this process lives: when the process ends, even by SIGKILL, the kernel detaches
 * it.
 */
public final class XdpProgram implements AutoCloseable {
    /** Result: passes the frame to the network stack. */
    public static final int XDP_PASS = 2;
    /** Result: redirects the frame to the target of the call of {@link #REDIRECT_MAP}. */
    public static final int XDP_REDIRECT = 4;

    /**
     * An offset in struct xdp_md, the program's argument: the start of the frame, 32 bits that are loaded as an
     * address.
     */
    public static final int CONTEXT_DATA = 0;
    /** An offset in struct xdp_md: the end of the frame, or of its first buffer if it has several. */
    public static final int CONTEXT_DATA_END = 4;
    /** An offset in struct xdp_md: the number of the receive queue. */
    public static final int CONTEXT_RECEIVE_QUEUE = 16;

    /**
     * Kernel function: redirects the frame to an entry of a map; takes the map, the key, and the result if there is no
     * such entry.
     */
    public static final int REDIRECT_MAP = 51;
    /**
     * Kernel function: the length of the frame over all buffers, in bytes; takes the program's argument. Since Linux
     * 5.18.
     */
    public static final int XDP_GET_BUFF_LEN = 188;

    /** Runs in the network stack, with any driver, after the kernel has built its own buffer of the frame. */
    static final int XDP_FLAGS_SKB_MODE = 1 << 1;
    /** Runs in the driver, before anything else. */
    static final int XDP_FLAGS_DRV_MODE = 1 << 2;

    private static final int UNATTACHED = -1;

    private final int descriptor;
    private int link = UNATTACHED;
    private boolean closed;

    private XdpProgram(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Loads a program; the kernel verifies it.
     *
     * @param program the program
     * @param hasSegments whether it supports frames in several buffers, of which it sees the first only
     * @throws LinuxException EPERM if CAP_BPF or CAP_NET_ADMIN is missing; the message includes the log of the kernel's
     *     verifier
     */
    public static XdpProgram load(BpfAssembler program, boolean hasSegments) {
        return new XdpProgram(BpfProgram.load(
                program,
                Bpf.BPF_PROG_TYPE_XDP,
                Bpf.BPF_XDP,
                hasSegments ? Bpf.BPF_F_XDP_HAS_FRAGS : 0,
                "load an XDP program"));
    }

    /**
     * Attaches the program to an interface, by a link that ends with this process.
     *
     * @param interfaceIndex the index of the interface, from 1
     * @param isNative whether the driver runs it instead of the network stack
     * @param what the interface, for messages
     * @throws LinuxException EOPNOTSUPP if the driver does not support it, EBUSY if another program is attached, EINVAL
     *     on kernels before 5.9
     * @throws IllegalStateException if it is attached already
     */
    public void attach(int interfaceIndex, boolean isNative, String what) {
        if (link != UNATTACHED) {
            throw new IllegalStateException("the program is attached already");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(Bpf.ATTRIBUTE_BYTES, Long.BYTES);
            attribute.set(JAVA_INT, Bpf.LINK_PROGRAM, descriptor);
            attribute.set(JAVA_INT, Bpf.LINK_INTERFACE, interfaceIndex);
            attribute.set(JAVA_INT, Bpf.LINK_ATTACH_TYPE, Bpf.BPF_XDP);
            attribute.set(JAVA_INT, Bpf.LINK_FLAGS, isNative ? XDP_FLAGS_DRV_MODE : XDP_FLAGS_SKB_MODE);
            link = LinuxException.check(Bpf.bpf(Bpf.BPF_LINK_CREATE, attribute), what);
        }
    }

    /**
     * Runs the program once on a frame, without an interface: BPF_PROG_TEST_RUN.
     *
     * @param frame native memory with the frame, at least 14 bytes
     * @return the result of the program, XDP_...
     */
    public int test(MemorySegment frame) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(Bpf.ATTRIBUTE_BYTES, Long.BYTES);
            attribute.set(JAVA_INT, Bpf.TEST_PROGRAM, descriptor);
            attribute.set(JAVA_INT, Bpf.TEST_DATA_BYTES, (int) frame.byteSize());
            attribute.set(ADDRESS, Bpf.TEST_DATA, frame);
            LinuxException.check(Bpf.bpf(Bpf.BPF_PROG_TEST_RUN, attribute), "test an XDP program");
            return attribute.get(JAVA_INT, Bpf.TEST_RESULT);
        }
    }

    /** Detaches the program from its interface and releases it. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (link != UNATTACHED) {
                Unistd.close(link);
            }
            Unistd.close(descriptor);
        }
    }
}
