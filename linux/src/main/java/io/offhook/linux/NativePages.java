package io.offhook.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory that the kernel is to share: whole pages of its own, mmap(2), which no allocator gives to others afterwards. */
public final class NativePages {
    private static final int NO_FILE = -1;

    private NativePages() {}

    /**
     * Maps pages, all 0, and makes them now.
     *
     * @param bytes more than 0; a last page begun is mapped whole
     * @param arena how long
     */
    @SuppressWarnings("restricted") // what was mapped is as long as asked for
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
