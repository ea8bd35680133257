package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.offhook.linux.libc.SysUio;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Reads memory of a process, many pieces with one call: process_vm_readv(2). The process goes on meanwhile, so that a piece may
 * be of no one moment. The kernel allows it to whom it allows to trace the process: the same user, unless Yama forbids it, and root.
 * Not thread-safe.
 */
public final class ProcessMemory implements AutoCloseable {
    private static final int EPERM = 1;
    private static final int ESRCH = 3;
    private static final int ENOSYS = 38;

    private final int process;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment local;
    private final MemorySegment remote;
    private final MemorySegment bytes;
    private final int[] begins;
    private final int[] lengths;
    private final boolean[] isRead;
    private int count;
    private int used;

    /**
     * Prepares to read; nothing is read yet.
     *
     * @param process its number, in the namespace of this process
     * @param mostPieces how many pieces are read at a time, at most
     * @param mostBytes how long they are together, at most
     */
    public ProcessMemory(int process, int mostPieces, int mostBytes) {
        this.process = process;
        local = arena.allocate(SysUio.IOVEC_BYTES, Long.BYTES);
        remote = arena.allocate((long) SysUio.IOVEC_BYTES * mostPieces, Long.BYTES);
        bytes = arena.allocate(mostBytes, Long.BYTES);
        begins = new int[mostPieces];
        lengths = new int[mostPieces];
        isRead = new boolean[mostPieces];
    }

    /** Forgets the pieces. Without it, {@link #read} reads the same ones again. */
    public void clear() {
        count = 0;
        used = 0;
    }

    /**
     * Adds a piece to be read.
     *
     * @return its index; -1 if there are too many already
     */
    public int add(long address, int length) {
        if (count == begins.length || used + length > bytes.byteSize()) {
            return -1;
        }
        remote.set(JAVA_LONG, (long) count * SysUio.IOVEC_BYTES, address);
        remote.set(JAVA_LONG, (long) count * SysUio.IOVEC_BYTES + SysUio.IOVEC_LENGTH, length);
        begins[count] = used;
        lengths[count] = length;
        used += length;
        return count++;
    }

    /**
     * Reads the pieces; those that are not there any more are not {@link #isRead}.
     *
     * @throws LinuxException EPERM if this process may not, ESRCH if the process has ended, ENOSYS if the kernel has no such call
     */
    public void read() {
        int next = 0;
        Arrays.fill(isRead, 0, count, false);
        while (next < count) {
            int pieces = Math.min(count - next, SysUio.IOV_MAX);
            int end = next + pieces;
            int length = begins[end - 1] + lengths[end - 1] - begins[next];
            local.set(JAVA_LONG, 0, bytes.address() + begins[next]);
            local.set(JAVA_LONG, SysUio.IOVEC_LENGTH, length);
            long result =
                    SysUio.processVmReadv(process, local, 1, remote.asSlice((long) next * SysUio.IOVEC_BYTES), pieces);
            if (result == -EPERM || result == -ESRCH || result == -ENOSYS) {
                throw new LinuxException("process_vm_readv of process " + process, (int) -result);
            }
            long until = begins[next] + Math.max(0, result);
            while (next < end && begins[next] + lengths[next] <= until) {
                isRead[next++] = true;
            }
            next += next < end ? 1 : 0; // this one is not there
        }
    }

    /** Whether a piece was read. */
    public boolean isRead(int piece) {
        return piece >= 0 && isRead[piece];
    }

    /** A number of four bytes of a piece. */
    public int intAt(int piece, int offset) {
        return bytes.get(JAVA_INT_UNALIGNED, (long) begins[piece] + offset);
    }

    /** A number of eight bytes of a piece, such as an address. */
    public long longAt(int piece, int offset) {
        return bytes.get(JAVA_LONG_UNALIGNED, (long) begins[piece] + offset);
    }

    /** A piece as text, which ends before the first zero. */
    public String textAt(int piece) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lengths[piece]; i++) {
            byte letter = bytes.get(JAVA_BYTE, (long) begins[piece] + i);
            if (letter == 0) {
                break;
            }
            text.append((char) (letter & 0xff));
        }
        return text.toString();
    }

    /** Frees its own memory. */
    @Override
    public void close() {
        arena.close();
    }
}
