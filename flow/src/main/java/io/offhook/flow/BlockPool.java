package io.offhook.flow;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Native memory in blocks of one size, up to a limit, for bytes that must be kept. Memory is taken from the system as it
 * is needed, never given back before the pool is closed. Beside each block stands what a {@link RangeList} knows of the
 * bytes in it.
 *
 * <p>The pool owns its arena, a shared one, as the lane that uses it need not be the thread that made it. One thread at
 * a time.
 */
final class BlockPool implements AutoCloseable {
    static final int NONE = -1;
    /** A segment of an Ethernet frame fits in one. */
    static final int BLOCK_BYTES = 2048;

    private static final int SLAB_BLOCKS = 128;

    private final Arena arena = Arena.ofShared();
    private final int limit;
    private MemorySegment[] slabs = new MemorySegment[0];

    /** What follows in the list that the block is in, be it the list of free ones. */
    private int[] next = new int[0];

    private long[] start = new long[0];
    private int[] length = new int[0];
    private boolean[] absent = new boolean[0];
    private long[] timestampNs = new long[0];
    private long[] frameNumber = new long[0];
    private int firstFree = NONE;
    private int used;
    private long reservedBytes;

    /** @param limitBytes the most bytes it takes, rounded down to whole blocks, of which there is one at least */
    BlockPool(long limitBytes) {
        limit = (int) Math.min(Math.max(limitBytes / BLOCK_BYTES, 1), 1 << 24);
    }

    /** How many blocks it takes to keep so many bytes. */
    static int blocksFor(int bytes) {
        return (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    }

    /** Blocks that can still be taken. */
    int available() {
        return limit - used;
    }

    /** Bytes taken from the system so far. */
    long reservedBytes() {
        return reservedBytes;
    }

    /** Takes a block, or {@link #NONE} when the limit is reached. */
    int take() {
        if (used == limit) {
            return NONE;
        }
        if (firstFree == NONE) {
            addSlab();
        }
        int block = firstFree;
        firstFree = next[block];
        used++;
        return block;
    }

    void release(int block) {
        next[block] = firstFree;
        firstFree = block;
        used--;
    }

    /** The memory that holds a block, at {@link #offset(int)}. */
    MemorySegment segment(int block) {
        return slabs[block / SLAB_BLOCKS];
    }

    long offset(int block) {
        return (long) (block % SLAB_BLOCKS) * BLOCK_BYTES;
    }

    /** Memory of its own for the user of the pool, beside the blocks and the limit; it lives as long as the pool. */
    MemorySegment allocate(long bytes) {
        return arena.allocate(bytes);
    }

    /** Says what a block holds: {@code length} bytes from position {@code start} on, or as many that are absent. */
    void describe(int block, long start, int length, boolean absent, long timestampNs, long frameNumber) {
        this.start[block] = start;
        this.length[block] = length;
        this.absent[block] = absent;
        this.timestampNs[block] = timestampNs;
        this.frameNumber[block] = frameNumber;
    }

    int next(int block) {
        return next[block];
    }

    void next(int block, int following) {
        next[block] = following;
    }

    long start(int block) {
        return start[block];
    }

    int length(int block) {
        return length[block];
    }

    long end(int block) {
        return start[block] + length[block];
    }

    boolean isAbsent(int block) {
        return absent[block];
    }

    long timestampNs(int block) {
        return timestampNs[block];
    }

    long frameNumber(int block) {
        return frameNumber[block];
    }

    /** Frees the memory; nothing of the pool is used afterwards. */
    @Override
    public void close() {
        arena.close();
    }

    private void addSlab() {
        int first = slabs.length * SLAB_BLOCKS;
        int blocks = Math.min(first + SLAB_BLOCKS, limit);
        if (blocks > next.length) {
            int room = Math.max(blocks, next.length * 2);
            next = Arrays.copyOf(next, room);
            start = Arrays.copyOf(start, room);
            length = Arrays.copyOf(length, room);
            absent = Arrays.copyOf(absent, room);
            timestampNs = Arrays.copyOf(timestampNs, room);
            frameNumber = Arrays.copyOf(frameNumber, room);
        }
        slabs = Arrays.copyOf(slabs, slabs.length + 1);
        slabs[slabs.length - 1] = arena.allocate((long) (blocks - first) * BLOCK_BYTES);
        reservedBytes += (long) (blocks - first) * BLOCK_BYTES;
        for (int block = blocks - 1; block >= first; block--) {
            next[block] = firstFree;
            firstFree = block;
        }
    }
}
