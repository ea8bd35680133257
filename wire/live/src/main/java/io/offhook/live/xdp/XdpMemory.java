package io.offhook.live.xdp;

import io.offhook.linux.raw.NativePages;
import io.offhook.linux.raw.NativeSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory that frames lie in and that the kernel shares, the UMEM of AF_XDP: chunks of one size, each of one frame or free.
 * The sockets of several queues and interfaces may share it: what one has received, another can send without a copy. It
 * outlives them. One thread at a time.
 */
public final class XdpMemory implements AutoCloseable {
    /** What the kernel keeps free before a frame that it receives, XDP_PACKET_HEADROOM. */
    public static final int HEADROOM_BYTES = 256;

    /** The larger of the two sizes of a chunk. */
    public static final int MAX_CHUNK_BYTES = 4096;

    private static final int NOBODY = -1;
    private static final int GONE = -2;
    private static final int MAX_CHUNKS = 1 << 22;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final int chunkBytes;
    private final int chunks;
    /** Addresses of chunks that nobody has, the last one first. */
    private final long[] free;

    private int freeCount;
    private int sockets;
    /** The socket that the kernel knows it by. */
    private int owner = NOBODY;

    /**
     * Chunks that are all free.
     *
     * @param chunks 1 to 4,194,304
     * @param chunkBytes 2,048 or 4,096: room for a frame of {@link #HEADROOM_BYTES} less
     */
    public XdpMemory(int chunks, int chunkBytes) {
        if (chunks < 1 || chunks > MAX_CHUNKS) {
            throw new IllegalArgumentException("chunks " + chunks + " is outside 1 to " + MAX_CHUNKS);
        }
        if (chunkBytes != 2048 && chunkBytes != MAX_CHUNK_BYTES) {
            throw new IllegalArgumentException("chunkBytes " + chunkBytes + " is neither 2048 nor 4096");
        }
        this.chunks = chunks;
        this.chunkBytes = chunkBytes;
        memory = NativePages.map((long) chunks * chunkBytes, arena, "map " + chunks + " chunks");
        free = new long[chunks];
        for (int i = 0; i < chunks; i++) {
            free[i] = (long) (chunks - 1 - i) * chunkBytes;
        }
        freeCount = chunks;
    }

    /** All chunks; an address is an offset in it. */
    public MemorySegment segment() {
        return memory;
    }

    /** Bytes of a chunk. */
    public int chunkBytes() {
        return chunkBytes;
    }

    /** How many there are. */
    public int chunks() {
        return chunks;
    }

    /** The most bytes that a chunk holds of a frame that is received. */
    public int frameBytes() {
        return chunkBytes - HEADROOM_BYTES;
    }

    /** Takes a free chunk; @return where it begins, or -1 where none is free */
    public long take() {
        return freeCount == 0 ? -1 : free[--freeCount];
    }

    /**
     * Frees a chunk, which is no socket's any more.
     *
     * @param address anywhere in it
     */
    public void give(long address) {
        if (freeCount == chunks) {
            throw new IllegalStateException("all chunks are free already");
        }
        free[freeCount++] = address & -chunkBytes;
    }

    /** How many chunks are free. */
    public int free() {
        return freeCount;
    }

    /** A socket is to use it: the first one shows it to the kernel. @return whether it was the first */
    boolean register(NativeSocket socket) {
        if (owner == GONE) {
            throw new IllegalStateException("the socket is closed that the kernel knows the memory by");
        }
        boolean isFirst = owner == NOBODY;
        if (isFirst) {
            show(socket);
            owner = socket.descriptor();
        }
        sockets++;
        return isFirst;
    }

    private void show(NativeSocket socket) {
        try (Arena own = Arena.ofConfined()) {
            MemorySegment registration = own.allocate(IfXdp.MEMORY_BYTES, Long.BYTES);
            registration.set(ValueLayout.ADDRESS, 0, memory);
            registration.set(ValueLayout.JAVA_LONG, IfXdp.MEMORY_LENGTH, memory.byteSize());
            registration.set(ValueLayout.JAVA_INT, IfXdp.MEMORY_CHUNK, chunkBytes);
            socket.set(
                    IfXdp.SOL_XDP,
                    IfXdp.XDP_UMEM_REG,
                    registration,
                    "share " + memory.byteSize() + " bytes with the kernel (ENOBUFS: more than `ulimit -l` allows;"
                            + " raise it, or give CAP_IPC_LOCK)");
        }
    }

    int owner() {
        return owner;
    }

    /** A socket is about to close. */
    void leave(NativeSocket socket) {
        if (--sockets == 0) {
            owner = NOBODY;
        } else if (socket.descriptor() == owner) {
            owner = GONE;
        }
    }

    /** Unmaps it. @throws IllegalStateException while a socket has it */
    @Override
    public void close() {
        if (sockets > 0) {
            throw new IllegalStateException(sockets + " sockets still have the memory");
        }
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
