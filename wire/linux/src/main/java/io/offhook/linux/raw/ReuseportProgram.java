package io.offhook.linux.raw;

import io.offhook.linux.LinuxException;
import io.offhook.linux.libc.Bpf;
import io.offhook.linux.libc.SysSocket;
import io.offhook.linux.libc.Unistd;

/**
 * A program that selects which of the sockets with one address (SO_REUSEPORT) receives a datagram. Its argument is a struct
 * __sk_buff whose data begins behind the UDP header. Its result is the index of the socket, in the order in which they were
 * bound; any other result selects by the kernel's hash of the addresses. Needs CAP_BPF, and for programs with loops Linux 5.3.
 */
public final class ReuseportProgram implements AutoCloseable {
    /** An offset in struct __sk_buff, the program's argument: the length of the data in bytes, 32 bits. */
    public static final int CONTEXT_LENGTH = 0;

    /** Kernel function: the address of an element of a map, or 0; takes the map and the address of the key. */
    public static final int MAP_LOOKUP_ELEM = 1;
    /**
     * Kernel function: copies data; takes the program's argument, the offset in the data, the address of the target and the
     * length, 1 or more. The result is 0, or a negative errno.
     */
    public static final int SKB_LOAD_BYTES = 26;

    private final int descriptor;
    private boolean closed;

    private ReuseportProgram(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Loads a program; the kernel verifies it.
     *
     * @throws LinuxException EPERM if CAP_BPF is missing; the message includes the log of the kernel's verifier
     */
    public static ReuseportProgram load(BpfAssembler program) {
        return new ReuseportProgram(
                BpfProgram.load(program, Bpf.BPF_PROG_TYPE_SOCKET_FILTER, 0, 0, "load a program that selects sockets"));
    }

    /** The descriptor in this process. */
    public int descriptor() {
        return descriptor;
    }

    /**
     * Attaches the program to all sockets that share the address of a bound socket, for as long as one of them is open.
     *
     * @throws LinuxException EINVAL if the socket does not share its address
     */
    public void attach(UdpSocket socket) {
        socket.set(SysSocket.SOL_SOCKET, SysSocket.SO_ATTACH_REUSEPORT_EBPF, descriptor, "select among UDP sockets");
    }

    /** Releases the program; where it is attached, it stays. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Unistd.close(descriptor);
        }
    }
}
