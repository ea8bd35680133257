package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A socket of the kernel, socket(2), of any family: for those that Java's own do not know. Options are set while one
 * thread has it; sending and receiving are as thread-safe as the kernel makes them.
 */
public final class NativeSocket implements AutoCloseable {
    /** SOCK_CLOEXEC: programs that this one starts do not get it. */
    private static final int CLOSE_ON_EXEC = 0x80000;

    private final int descriptor;
    private final Arena mappings = Arena.ofShared();
    private boolean closed;

    private NativeSocket(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Makes one.
     *
     * @param domain AF_...
     * @param type SOCK_...
     * @param protocol as the family reads it
     * @param what for the message, where it fails
     */
    public static NativeSocket open(int domain, int type, int protocol, String what) {
        return new NativeSocket(LinuxException.check(SysSocket.socket(domain, type | CLOSE_ON_EXEC, protocol), what));
    }

    /**
     * One that another library of this process opened: to ask it for options. It stays that library's, and is not closed
     * here.
     *
     * @param descriptor its number
     */
    public static NativeSocket borrowed(int descriptor) {
        return new NativeSocket(descriptor);
    }

    /** Its number in this process. */
    public int descriptor() {
        return descriptor;
    }

    /** Gives it an address. */
    public void bind(MemorySegment address, String what) {
        LinuxException.check(SysSocket.bind(descriptor, address, (int) address.byteSize()), what);
    }

    /**
     * Asks for the address that it has.
     *
     * @param address where it goes
     * @return its length in bytes
     */
    public int address(MemorySegment address, String what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment length = arena.allocateFrom(JAVA_INT, (int) address.byteSize());
            LinuxException.check(SysSocket.getsockname(descriptor, address, length), what);
            return length.get(JAVA_INT, 0);
        }
    }

    /** Sets an option that is an int. */
    public void set(int level, int option, int value, String what) {
        try (Arena arena = Arena.ofConfined()) {
            set(level, option, arena.allocateFrom(JAVA_INT, value), what);
        }
    }

    /** Sets an option. */
    public void set(int level, int option, MemorySegment value, String what) {
        LinuxException.check(SysSocket.setsockopt(descriptor, level, option, value, (int) value.byteSize()), what);
    }

    /** Asks for an option that is an int. */
    public int get(int level, int option, String what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            get(level, option, value, what);
            return value.get(JAVA_INT, 0);
        }
    }

    /**
     * Asks for an option.
     *
     * @param value where it goes
     * @return its length in bytes
     */
    public int get(int level, int option, MemorySegment value, String what) {
        try (Arena arena = Arena.ofConfined()) {
            return get(level, option, value, arena.allocate(JAVA_INT), what);
        }
    }

    /**
     * Asks for an option, and allocates nothing.
     *
     * @param value where it goes
     * @param length room for an int
     * @return its length in bytes
     */
    public int get(int level, int option, MemorySegment value, MemorySegment length, String what) {
        length.set(JAVA_INT, 0, (int) value.byteSize());
        LinuxException.check(SysSocket.getsockopt(descriptor, level, option, value, length), what);
        return length.get(JAVA_INT, 0);
    }

    /**
     * Maps what the kernel shares with the socket, for reading and writing, with all of its pages. It ends with the socket.
     *
     * @param offset bytes; what lies there says the family
     * @param bytes more than 0
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
     * @param flags MSG_...
     * @return how many were taken, or a negative errno
     */
    public long send(MemorySegment bytes, int flags) {
        return SysSocket.send(descriptor, bytes, bytes.byteSize(), flags);
    }

    /**
     * Receives bytes.
     *
     * @param flags MSG_...
     * @return how many came, or a negative errno
     */
    public long receive(MemorySegment bytes, int flags) {
        return SysSocket.recv(descriptor, bytes, bytes.byteSize(), flags);
    }

    /** Ends what was mapped, and the socket. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            mappings.close();
            Unistd.close(descriptor);
        }
    }
}
