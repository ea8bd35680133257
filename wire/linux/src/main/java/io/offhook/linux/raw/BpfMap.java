package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.offhook.linux.LinuxException;
import io.offhook.linux.libc.Bpf;
import io.offhook.linux.libc.Unistd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A table shared by BPF programs and this process, bpf(2), with ints as keys and values. It exists as long as one of
 * them holds it.
 */
public final class BpfMap implements AutoCloseable {
    private final int descriptor;
    private boolean closed;

    private BpfMap(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Creates a table of AF_XDP sockets by number, BPF_MAP_TYPE_XSKMAP, to which a program may redirect frames.
     *
     * @param entries the number of entries; keys are 0 to {@code entries - 1}
     * @throws LinuxException EPERM if CAP_BPF is missing; on kernels before 5.11 also if RLIMIT_MEMLOCK is too low
     */
    public static BpfMap ofXdpSockets(int entries) {
        return create(Bpf.BPF_MAP_TYPE_XSKMAP, Integer.BYTES, entries, "create a BPF map of sockets");
    }

    /**
     * Creates memory in which a program works, BPF_MAP_TYPE_PERCPU_ARRAY: the value of key 0, for each processor its own.
     *
     * @param bytes the size of the value
     * @throws LinuxException as above
     */
    public static BpfMap ofMemory(int bytes) {
        return create(Bpf.BPF_MAP_TYPE_PERCPU_ARRAY, bytes, 1, "create memory for a BPF program");
    }

    private static BpfMap create(int type, int valueBytes, int entries, String what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(Bpf.ATTRIBUTE_BYTES, Long.BYTES);
            attribute.set(JAVA_INT, Bpf.MAP_TYPE, type);
            attribute.set(JAVA_INT, Bpf.MAP_KEY_BYTES, Integer.BYTES);
            attribute.set(JAVA_INT, Bpf.MAP_VALUE_BYTES, valueBytes);
            attribute.set(JAVA_INT, Bpf.MAP_ENTRIES, entries);
            return new BpfMap(LinuxException.check(Bpf.bpf(Bpf.BPF_MAP_CREATE, attribute), what));
        }
    }

    /** The descriptor of the table in this process. */
    public int descriptor() {
        return descriptor;
    }

    /** Sets the value of a key; for sockets, the descriptor. */
    public void put(int key, int value, String what) {
        element(Bpf.BPF_MAP_UPDATE_ELEM, key, value, what);
    }

    /** Removes a key, which must exist. */
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
