package io.offhook.live.xdp;

import io.offhook.linux.raw.NativePages;
import io.offhook.linux.raw.NativeSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory for frames that the kernel shares, the UMEM of AF_XDP: chunks of one size, each with one frame or free.
 * Sockets of several queues and interfaces may share it: what one has received, another can send without a copy. It
 * must outlive them. One thread at a time.
 */
public final class XdpMemory implements AutoCloseable {
    /** The bytes that the kernel keeps free before a received frame, XDP_PACKET_HEADROOM. */
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
    /** The addresses of the free chunks; the last one is taken first. */
    private final long[] free;

    private int freeCount;
    private int sockets;
    /** The socket that registered it with the kernel. */
    private int owner = NOBODY;

    /**
     * Creates memory whose chunks are all free.
     *
     * @param chunks the number of chunks, 1 to 4,194,304
     * @param chunkBytes the size of a chunk, 2,048 or 4,096, which leaves {@link #HEADROOM_BYTES} less for a frame
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

    /** Returns the memory of all chunks; an address is an offset in it. */
    public MemorySegment segment() {
        return memory;
    }

    /** Returns the size of a chunk in bytes. */
    public int chunkBytes() {
        return chunkBytes;
    }

    /** Returns the number of chunks. */
    public int chunks() {
        return chunks;
    }

    /** Returns the most bytes of a received frame that a chunk holds. */
    public int frameBytes() {
        return chunkBytes - HEADROOM_BYTES;
    }

    /**
     * Takes a free chunk.
     *
     * @return its address, or -1 if none is free
     */
    public long take() {
        return freeCount == 0 ? -1 : free[--freeCount];
    }

    /**
     * Frees a chunk, which must not belong to a socket any more.
     *
     * @param address any address in the chunk
     */
    public void give(long address) {
        if (freeCount == chunks) {
            throw new IllegalStateException("all chunks are free already");
        }
        free[freeCount++] = address & -chunkBytes;
    }

    /** Returns the number of free chunks. */
    public int free() {
        return freeCount;
    }

    /**
     * Adds a socket that uses it; the first one registers it with the kernel.
     *
     * @return whether it was the first
     */
    boolean register(NativeSocket socket) {
        if (owner == GONE) {
            throw new IllegalStateException(
                    "the socket that registered the memory with the kernel is closed; create new memory");
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

    /** Removes a socket that is about to close. */
    void leave(NativeSocket socket) {
        if (--sockets == 0) {
            owner = NOBODY;
        } else if (socket.descriptor() == owner) {
            owner = GONE;
        }
    }

    /**
     * Unmaps it.
     *
     * @throws IllegalStateException while a socket uses it
     */
    @Override
    public void close() {
        if (sockets > 0) {
            throw new IllegalStateException(sockets + " sockets still use the memory; close them first");
        }
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
