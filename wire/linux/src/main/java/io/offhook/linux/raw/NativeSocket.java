package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.offhook.linux.LinuxException;
import io.offhook.linux.libc.SysMman;
import io.offhook.linux.libc.SysSocket;
import io.offhook.linux.libc.Unistd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A socket of any family, socket(2), for families that Java does not support. Set options from one thread; sending and
 * receiving are as thread-safe as in the kernel.
 */
public final class NativeSocket implements AutoCloseable {
    /** SOCK_CLOEXEC: child processes do not inherit the socket. */
    private static final int CLOSE_ON_EXEC = 0x80000;

    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;

    private final int descriptor;
    private final Arena mappings = Arena.ofShared();
    private boolean closed;

    private NativeSocket(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Opens a socket.
     *
     * @param domain AF_...
     * @param type SOCK_...
     * @param protocol the protocol, as the family defines it
     * @param what the purpose, for messages
     * @throws LinuxException if the kernel refuses
     */
    public static NativeSocket open(int domain, int type, int protocol, String what) {
        return new NativeSocket(LinuxException.check(SysSocket.socket(domain, type | CLOSE_ON_EXEC, protocol), what));
    }

    /**
     * Opens two sockets that are connected to each other, for datagrams of this process.
     *
     * @param what the purpose, for messages
     * @throws LinuxException if the kernel refuses
     */
    public static List<NativeSocket> pair(String what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sockets = arena.allocate(JAVA_INT, 2);
            LinuxException.check(SysSocket.socketpair(AF_UNIX, SOCK_DGRAM | CLOSE_ON_EXEC, 0, sockets), what);
            return List.of(
                    new NativeSocket(sockets.getAtIndex(JAVA_INT, 0)),
                    new NativeSocket(sockets.getAtIndex(JAVA_INT, 1)));
        }
    }

    /**
     * Wraps a socket that another library of this process opened, to query its options. The library remains the owner;
     * {@link #close} does not close it.
     *
     * @param descriptor the descriptor
     */
    public static NativeSocket borrowed(int descriptor) {
        return new NativeSocket(descriptor);
    }

    /** The descriptor in this process. */
    public int descriptor() {
        return descriptor;
    }

    /** Binds the socket to an address. */
    public void bind(MemorySegment address, String what) {
        LinuxException.check(SysSocket.bind(descriptor, address, (int) address.byteSize()), what);
    }

    /**
     * Reads the address of the socket.
     *
     * @param address receives the address
     * @param what the purpose, for messages
     * @return the length of the address in bytes
     */
    public int address(MemorySegment address, String what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment length = arena.allocateFrom(JAVA_INT, (int) address.byteSize());
            LinuxException.check(SysSocket.getsockname(descriptor, address, length), what);
            return length.get(JAVA_INT, 0);
        }
    }

    /** Sets an int option. */
    public void set(int level, int option, int value, String what) {
        try (Arena arena = Arena.ofConfined()) {
            set(level, option, arena.allocateFrom(JAVA_INT, value), what);
        }
    }

    /** Sets an option. */
    public void set(int level, int option, MemorySegment value, String what) {
        LinuxException.check(SysSocket.setsockopt(descriptor, level, option, value, (int) value.byteSize()), what);
    }

    /** Reads an int option. */
    public int get(int level, int option, String what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            get(level, option, value, what);
            return value.get(JAVA_INT, 0);
        }
    }

    /**
     * Reads an option.
     *
     * @param value receives the value
     * @return the length of the value in bytes
     */
    public int get(int level, int option, MemorySegment value, String what) {
        try (Arena arena = Arena.ofConfined()) {
            return get(level, option, value, arena.allocate(JAVA_INT), what);
        }
    }

    /**
     * Reads an option, without allocating.
     *
     * @param value receives the value
     * @param length scratch space for an int
     * @return the length of the value in bytes
     */
    public int get(int level, int option, MemorySegment value, MemorySegment length, String what) {
        length.set(JAVA_INT, 0, (int) value.byteSize());
        LinuxException.check(SysSocket.getsockopt(descriptor, level, option, value, length), what);
        return length.get(JAVA_INT, 0);
    }

    /**
     * Maps the memory that the kernel shares with the socket for reading and writing, with all its pages allocated. The
     * mapping ends with the socket.
     *
     * @param offset the offset in bytes; its meaning depends on the family
     * @param bytes the length, more than 0
     * @param what the purpose, for messages
     */
    @SuppressWarnings("restricted")
    public MemorySegment map(long offset, long bytes, String what) {
        long address = SysMman.mmap(
                bytes,
                SysMman.PROT_READ | SysMman.PROT_WRITE,
                SysMman.MAP_SHARED | SysMman.MAP_POPULATE,
                descriptor,
                offset);
        if (address < 0) {
            throw new LinuxException(what, (int) -address);
        }
        return MemorySegment.ofAddress(address).reinterpret(bytes, mappings, mapped -> SysMman.munmap(mapped, bytes));
    }

    /**
     * Sends bytes.
     *
     * @param bytes the bytes to send
     * @param flags MSG_...
     * @return the number of bytes sent, or a negative errno
     */
    public long send(MemorySegment bytes, int flags) {
        return SysSocket.send(descriptor, bytes, bytes.byteSize(), flags);
    }

    /**
     * Receives bytes.
     *
     * @param bytes receives the bytes
     * @param flags MSG_...
     * @return the number of bytes received, or a negative errno
     */
    public long receive(MemorySegment bytes, int flags) {
        return SysSocket.recv(descriptor, bytes, bytes.byteSize(), flags);
    }

    /** Unmaps the memory and closes the socket. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            mappings.close();
            Unistd.close(descriptor);
        }
    }
}
