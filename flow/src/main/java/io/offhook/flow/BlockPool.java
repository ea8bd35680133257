package io.offhook.flow;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Bytes that must be kept, up to a limit: copied into blocks of one size, or referenced where they are ({@link Holding}).
 * Memory for blocks is taken from the system as it is needed, never given back before the pool is closed. Beside each block
 * stands what a {@link RangeList} knows of the bytes in it.
 *
 * <p>The pool owns its arena, a shared one, as the lane that uses it need not be the thread that made it. One thread at
 * a time.
 */
final class BlockPool implements AutoCloseable {
    static final int NONE = -1;
    /** A segment of an Ethernet frame fits in one. */
    static final int BLOCK_BYTES = 2048;

    private static final int SLAB_BLOCKS = 128;
    /** What a piece that is referenced counts besides its bytes. */
    private static final int NOTE_BYTES = 64;

    private final Arena arena = Arena.ofShared();
    private final boolean isReferencing;
    private final long limitBytes;
    private final int limit;
    private MemorySegment[] slabs = new MemorySegment[0];

    // of pieces that are referenced: where they lie
    private MemorySegment[] referenced = new MemorySegment[0];
    private long[] referencedOffset = new long[0];
    private long[] referencedBytes = new long[0];
    private int referencedBlocks;
    private long heldBytes;

    /** What follows in the list that the block is in, be it the list of free ones. */
    private int[] next = new int[0];

    private long[] start = new long[0];
    private int[] length = new int[0];
    /** Bytes at the front of the block that gave way to others. */
    private int[] skipped = new int[0];

    private boolean[] absent = new boolean[0];
    private long[] timestampNs = new long[0];
    private long[] frameNumber = new long[0];
    private int firstFree = NONE;
    private int used;
    private long reservedBytes;

    /** @param limitBytes the most bytes it takes, rounded down to whole blocks, of which there is one at least */
    BlockPool(long limitBytes, Holding holding) {
        this.limitBytes = limitBytes;
        isReferencing = holding == Holding.REFERENCE;
        limit = (int) Math.min(Math.max(limitBytes / (isReferencing ? NOTE_BYTES : BLOCK_BYTES), 1), 1 << 24);
    }

    /** How many blocks it takes to keep so many bytes. */
    static int blocksFor(int bytes) {
        return (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    }

    boolean isReferencing() {
        return isReferencing;
    }

    /** Whether so many bytes can be kept in one piece, and some pieces without bytes besides. */
    boolean hasRoomFor(int bytes, int pieces) {
        return isReferencing
                ? heldBytes + bytes + (pieces + 1L) * NOTE_BYTES <= limitBytes
                : limit - used >= blocksFor(bytes) + pieces;
    }

    /** Bytes taken from the system so far; of what is referenced, those that are held. */
    long reservedBytes() {
        return isReferencing ? heldBytes : reservedBytes;
    }

    /** How many of so many bytes go into one block. */
    int pieceLength(long bytes) {
        return (int) (isReferencing ? bytes : Math.min(bytes, BLOCK_BYTES));
    }

    /**
     * Keeps bytes in a block of their own.
     *
     * @param length at most {@link #pieceLength} of it
     * @return the block, or {@link #NONE} when the limit is reached
     */
    int keep(MemorySegment segment, long offset, int length) {
        if (isReferencing && heldBytes + length + NOTE_BYTES > limitBytes) {
            return NONE;
        }
        int block = take();
        if (block == NONE) {
            return NONE;
        }
        if (isReferencing) {
            referenced[block] = segment;
            referencedOffset[block] = offset;
            referencedBytes[block] = length;
            heldBytes += length;
        } else {
            MemorySegment.copy(segment, offset, slabs[block / SLAB_BLOCKS], blockOffset(block), length);
        }
        return block;
    }

    /** Takes a block that holds nothing, or {@link #NONE} when the limit is reached. */
    int take() {
        if (used == limit || isReferencing && heldBytes + NOTE_BYTES > limitBytes) {
            return NONE;
        }
        if (firstFree == NONE) {
            addSlab();
        }
        int block = firstFree;
        firstFree = next[block];
        used++;
        heldBytes += isReferencing ? NOTE_BYTES : 0;
        return block;
    }

    void release(int block) {
        if (isReferencing) {
            heldBytes -= referencedBytes[block] + NOTE_BYTES;
            referencedBytes[block] = 0;
            referenced[block] = MemorySegment.NULL;
        }
        next[block] = firstFree;
        firstFree = block;
        used--;
    }

    /** The memory that holds a block, at {@link #offset(int)}. */
    MemorySegment segment(int block) {
        return isReferencing ? referenced[block] : slabs[block / SLAB_BLOCKS];
    }

    long offset(int block) {
        return (isReferencing ? referencedOffset[block] : blockOffset(block)) + skipped[block];
    }

    private static long blockOffset(int block) {
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
        skipped[block] = 0;
        this.absent[block] = absent;
        this.timestampNs[block] = timestampNs;
        this.frameNumber[block] = frameNumber;
    }

    /** Gives up the first bytes of a block. */
    void cutFront(int block, int bytes) {
        start[block] += bytes;
        length[block] -= bytes;
        skipped[block] += bytes;
    }

    /** Gives up the last bytes of a block. */
    void cutBack(int block, int bytes) {
        length[block] -= bytes;
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
        int first = isReferencing ? referencedBlocks : slabs.length * SLAB_BLOCKS;
        int blocks = Math.min(first + SLAB_BLOCKS, limit);
        if (blocks > next.length) {
            grow(Math.max(blocks, next.length * 2));
        }
        if (isReferencing) {
            referencedBlocks = blocks;
        } else {
            slabs = Arrays.copyOf(slabs, slabs.length + 1);
            slabs[slabs.length - 1] = arena.allocate((long) (blocks - first) * BLOCK_BYTES);
            reservedBytes += (long) (blocks - first) * BLOCK_BYTES;
        }
        for (int block = blocks - 1; block >= first; block--) {
            next[block] = firstFree;
            firstFree = block;
        }
    }

    private void grow(int room) {
        next = Arrays.copyOf(next, room);
        start = Arrays.copyOf(start, room);
        length = Arrays.copyOf(length, room);
        skipped = Arrays.copyOf(skipped, room);
        absent = Arrays.copyOf(absent, room);
        timestampNs = Arrays.copyOf(timestampNs, room);
        frameNumber = Arrays.copyOf(frameNumber, room);
        if (isReferencing) {
            referenced = Arrays.copyOf(referenced, room);
            referencedOffset = Arrays.copyOf(referencedOffset, room);
            referencedBytes = Arrays.copyOf(referencedBytes, room);
        }
    }
}
