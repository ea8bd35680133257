package io.offhook.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A table that BPF programs and this process share, bpf(2); keys and values are ints. It lasts while one of them has it. */
public final class BpfMap implements AutoCloseable {
    private final int descriptor;
    private boolean closed;

    private BpfMap(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Sockets of AF_XDP by a number, BPF_MAP_TYPE_XSKMAP: what a program may redirect frames to.
     *
     * @param entries the least number that is no key
     * @throws LinuxException EPERM where CAP_BPF is missing; on kernels before 5.11 also where RLIMIT_MEMLOCK is too low
     */
    public static BpfMap ofXdpSockets(int entries) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(Bpf.ATTRIBUTE_BYTES, Long.BYTES);
            attribute.set(JAVA_INT, Bpf.MAP_TYPE, Bpf.BPF_MAP_TYPE_XSKMAP);
            attribute.set(JAVA_INT, Bpf.MAP_KEY_BYTES, Integer.BYTES);
            attribute.set(JAVA_INT, Bpf.MAP_VALUE_BYTES, Integer.BYTES);
            attribute.set(JAVA_INT, Bpf.MAP_ENTRIES, entries);
            return new BpfMap(LinuxException.check(Bpf.bpf(Bpf.BPF_MAP_CREATE, attribute), "make a map of sockets"));
        }
    }

    /** Its number in this process. */
    public int descriptor() {
        return descriptor;
    }

    /** Sets the value of a key: of sockets, the descriptor. */
    public void put(int key, int value, String what) {
        element(Bpf.BPF_MAP_UPDATE_ELEM, key, value, what);
    }

    /** Takes a key out, which must be there. */
    public void remove(int key, String what) {
        element(Bpf.BPF_MAP_DELETE_ELEM, key, 0, what);
    }

    private void element(int command, int key, int value, String what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(Bpf.ATTRIBUTE_BYTES, Long.BYTES);
            attribute.set(JAVA_INT, Bpf.ELEMENT_MAP, descriptor);
            attribute.set(ADDRESS, Bpf.ELEMENT_KEY, arena.allocateFrom(JAVA_INT, key));
            if (command == Bpf.BPF_MAP_UPDATE_ELEM) {
                attribute.set(ADDRESS, Bpf.ELEMENT_VALUE, arena.allocateFrom(JAVA_INT, value));
            }
            LinuxException.check(Bpf.bpf(command, attribute), what);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Unistd.close(descriptor);
        }
    }
}
