package io.offhook.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * A program of the eXpress Data Path: the kernel runs it for each frame that an interface receives, and does as it says.
 * It runs as long as this process has it: when that ends, even by SIGKILL, the kernel takes it from the interface.
 */
public final class XdpProgram implements AutoCloseable {
    /** What a program says: the frame goes on to the machine's own stack. */
    public static final int XDP_PASS = 2;
    /** What a program says: the frame goes where a call of {@link #REDIRECT_MAP} said. */
    public static final int XDP_REDIRECT = 4;

    /** struct xdp_md, the program's argument: where the frame begins, as 32 bits that are read as an address. */
    public static final int CONTEXT_DATA = 0;
    /** Where the frame ends, or the first buffer of one that has several. */
    public static final int CONTEXT_DATA_END = 4;
    /** The number of the receive queue. */
    public static final int CONTEXT_RECEIVE_QUEUE = 16;

    /** Function: redirects the frame to an entry of a map; takes map, key, and what to say where there is no entry. */
    public static final int REDIRECT_MAP = 51;
    /** Function: the bytes of the frame in all its buffers; takes the program's argument. Of kernel 5.18. */
    public static final int XDP_GET_BUFF_LEN = 188;

    /** By the network stack, of any driver, after it has made its own buffer of the frame. */
    static final int XDP_FLAGS_SKB_MODE = 1 << 1;
    /** By the driver, before anything else. */
    static final int XDP_FLAGS_DRV_MODE = 1 << 2;

    private static final int LOG_BYTES = 64 << 10;
    private static final int LOG_TOLD = 1000;
    private static final int UNATTACHED = -1;

    private final int descriptor;
    private int link = UNATTACHED;
    private boolean closed;

    private XdpProgram(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Loads a program, which the kernel verifies.
     *
     * @param hasSegments whether it can do with frames that lie in several buffers, of which it sees the first only
     * @throws LinuxException EPERM where CAP_BPF or CAP_NET_ADMIN is missing; what the kernel's verifier said is in it
     */
    public static XdpProgram load(BpfAssembler program, boolean hasSegments) {
        byte[] instructions = program.toBytes();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment code = arena.allocate(instructions.length, Long.BYTES);
            MemorySegment.copy(instructions, 0, code, JAVA_BYTE, 0, instructions.length);
            MemorySegment attribute = arena.allocate(Bpf.ATTRIBUTE_BYTES, Long.BYTES);
            attribute.set(JAVA_INT, Bpf.PROGRAM_TYPE, Bpf.BPF_PROG_TYPE_XDP);
            attribute.set(JAVA_INT, Bpf.PROGRAM_LENGTH, program.length());
            attribute.set(ADDRESS, Bpf.PROGRAM_INSTRUCTIONS, code);
            // it calls nothing that only programs under the GPL may
            attribute.set(ADDRESS, Bpf.PROGRAM_LICENSE, arena.allocateFrom("Apache-2.0"));
            attribute.set(JAVA_INT, Bpf.PROGRAM_FLAGS, hasSegments ? Bpf.BPF_F_XDP_HAS_FRAGS : 0);
            attribute.set(JAVA_INT, Bpf.PROGRAM_ATTACH_TYPE, Bpf.BPF_XDP);
            attribute.setString(Bpf.PROGRAM_NAME, "offhook", StandardCharsets.US_ASCII);
            int loaded = Bpf.bpf(Bpf.BPF_PROG_LOAD, attribute);
            if (loaded < 0) {
                String log = loaded == -LinuxException.EPERM ? "" : verifierLog(attribute, arena);
                throw new LinuxException("load an XDP program" + log, -loaded);
            }
            return new XdpProgram(loaded);
        }
    }

    /** Loads once more, for the verifier's own words; the last of them say what it did not like. */
    private static String verifierLog(MemorySegment attribute, Arena arena) {
        MemorySegment log = arena.allocate(LOG_BYTES);
        attribute.set(JAVA_INT, Bpf.PROGRAM_LOG_LEVEL, 1);
        attribute.set(JAVA_INT, Bpf.PROGRAM_LOG_BYTES, LOG_BYTES);
        attribute.set(ADDRESS, Bpf.PROGRAM_LOG, log);
        int loaded = Bpf.bpf(Bpf.BPF_PROG_LOAD, attribute);
        if (loaded >= 0) {
            Unistd.close(loaded);
            return "";
        }
        String text = log.getString(0).strip();
        String last = text.substring(Math.max(0, text.length() - LOG_TOLD));
        return last.isEmpty() ? "" : " (" + last.replace('\n', ' ') + ")";
    }

    /**
     * Attaches it to an interface, by a link that ends with this process.
     *
     * @param interfaceIndex from 1
     * @param isNative whether the driver is to run it, and not the network stack
     * @throws LinuxException EOPNOTSUPP where the driver cannot, EBUSY where another program is attached, EINVAL of kernels
     *     before 5.9
     * @throws IllegalStateException where it is attached already
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
     * Runs it once on a frame, on no interface: BPF_PROG_TEST_RUN.
     *
     * @param frame 14 bytes at least
     * @return what it says: XDP_...
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

    /** Takes it from its interface. */
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
