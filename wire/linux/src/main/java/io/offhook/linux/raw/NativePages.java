package io.offhook.linux.raw;

import io.offhook.linux.LinuxException;
import io.offhook.linux.libc.SysMman;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory shared with the kernel: whole private pages, mmap(2), which no allocator reuses. */
public final class NativePages {
    private static final int NO_FILE = -1;

    private NativePages() {}

    /**
     * Maps pages filled with 0, and allocates them immediately.
     *
     * @param bytes more than 0, rounded up to whole pages
     * @param arena the lifetime of the mapping
     * @param what the purpose, for messages
     */
    @SuppressWarnings("restricted") // the mapping has the requested length
    public static MemorySegment map(long bytes, Arena arena, String what) {
        long address = SysMman.mmap(
                bytes,
                SysMman.PROT_READ | SysMman.PROT_WRITE,
                SysMman.MAP_PRIVATE | SysMman.MAP_ANONYMOUS | SysMman.MAP_POPULATE,
                NO_FILE,
                0);
        if (address < 0) {
            throw new LinuxException(what, (int) -address);
        }
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, mapped -> SysMman.munmap(mapped, bytes));
    }
}
