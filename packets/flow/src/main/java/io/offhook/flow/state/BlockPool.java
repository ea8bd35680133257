package io.offhook.flow.state;

import io.offhook.flow.Holding;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Holds bytes up to a limit: copied to blocks of a fixed size, or referenced in place ({@link Holding}). Memory for
 * blocks is allocated on demand and freed only when the pool is closed. For each block the pool also stores what a
 * {@link RangeList} knows of its bytes.
 *
 * <p>The pool owns its arena, which is shared, because the lane that uses the pool need not be the thread that created
 * it. Not thread-safe: for one thread at a time.
 */
public final class BlockPool implements AutoCloseable {
    public static final int NONE = -1;
    /** The size of a block; the payload of an Ethernet frame fits into one. */
    public static final int BLOCK_BYTES = 2048;

    private static final int SLAB_BLOCKS = 128;
    /** What a referenced piece counts in addition to its bytes. */
    private static final int NOTE_BYTES = 64;

    private final Arena arena = Arena.ofShared();
    private final boolean isReferencing;
    private final long limitBytes;
    private final int limit;
    private MemorySegment[] slabs = new MemorySegment[0];

    // the segments of referenced pieces
    private MemorySegment[] referenced = new MemorySegment[0];
    private long[] referencedOffset = new long[0];
    private long[] referencedBytes = new long[0];
    private int referencedBlocks;
    private long heldBytes;

    /** The next block in the list of the block, which may be the list of free blocks. */
    private int[] next = new int[0];

    private long[] start = new long[0];
    private int[] length = new int[0];
    /** Bytes at the front of the block that were given up for others. */
    private int[] skipped = new int[0];

    private boolean[] absent = new boolean[0];
    private long[] timestampNs = new long[0];
    private long[] frameNumber = new long[0];
    private int firstFree = NONE;
    private int used;
    private long reservedBytes;

    /**
     * @param limitBytes the most bytes to hold, rounded down to whole blocks; at least one block is available
     * @param holding whether bytes are copied or referenced
     */
    public BlockPool(long limitBytes, Holding holding) {
        this.limitBytes = limitBytes;
        isReferencing = holding == Holding.REFERENCE;
        limit = (int) Math.min(Math.max(limitBytes / (isReferencing ? NOTE_BYTES : BLOCK_BYTES), 1), 1 << 24);
    }

    /** The number of blocks needed for so many bytes. */
    public static int blocksFor(int bytes) {
        return (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    }

    public boolean isReferencing() {
        return isReferencing;
    }

    /** Whether there is room for one piece of so many bytes, and for further pieces without bytes. */
    public boolean hasRoomFor(int bytes, int pieces) {
        return isReferencing
                ? heldBytes + bytes + (pieces + 1L) * NOTE_BYTES <= limitBytes
                : limit - used >= blocksFor(bytes) + pieces;
    }

    /** Bytes allocated so far; of referenced pieces, the bytes currently held. */
    public long reservedBytes() {
        return isReferencing ? heldBytes : reservedBytes;
    }

    /** The part of so many bytes that goes into one block. */
    public int pieceLength(long bytes) {
        return (int) (isReferencing ? bytes : Math.min(bytes, BLOCK_BYTES));
    }

    /**
     * Holds bytes in a block of their own.
     *
     * @param length at most {@link #pieceLength} of it
     * @return the block, or {@link #NONE} if the limit is reached
     */
    public int keep(MemorySegment segment, long offset, int length) {
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

    /** Takes an empty block, or returns {@link #NONE} if the limit is reached. */
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

    public void release(int block) {
        if (isReferencing) {
            heldBytes -= referencedBytes[block] + NOTE_BYTES;
            referencedBytes[block] = 0;
            referenced[block] = MemorySegment.NULL;
        }
        next[block] = firstFree;
        firstFree = block;
        used--;
    }

    /** The segment that holds a block's bytes, starting at {@link #offset(int)}. */
    public MemorySegment segment(int block) {
        return isReferencing ? referenced[block] : slabs[block / SLAB_BLOCKS];
    }

    public long offset(int block) {
        return (isReferencing ? referencedOffset[block] : blockOffset(block)) + skipped[block];
    }

    private static long blockOffset(int block) {
        return (long) (block % SLAB_BLOCKS) * BLOCK_BYTES;
    }

    /**
     * Allocates memory for the user of the pool. It is not part of any block, does not count against the limit, and
     * lives as long as the pool.
     */
    public MemorySegment allocate(long bytes) {
        return arena.allocate(bytes);
    }

    /** Describes what a block holds: {@code length} bytes from position {@code start} on, or as many absent ones. */
    public void describe(int block, long start, int length, boolean absent, long timestampNs, long frameNumber) {
        this.start[block] = start;
        this.length[block] = length;
        skipped[block] = 0;
        this.absent[block] = absent;
        this.timestampNs[block] = timestampNs;
        this.frameNumber[block] = frameNumber;
    }

    /** Drops the first bytes of a block. */
    void cutFront(int block, int bytes) {
        start[block] += bytes;
        length[block] -= bytes;
        skipped[block] += bytes;
    }

    /** Drops the last bytes of a block. */
    void cutBack(int block, int bytes) {
        length[block] -= bytes;
    }

    public int next(int block) {
        return next[block];
    }

    void next(int block, int following) {
        next[block] = following;
    }

    public long start(int block) {
        return start[block];
    }

    public int length(int block) {
        return length[block];
    }

    long end(int block) {
        return start[block] + length[block];
    }

    public boolean isAbsent(int block) {
        return absent[block];
    }

    public long timestampNs(int block) {
        return timestampNs[block];
    }

    public long frameNumber(int block) {
        return frameNumber[block];
    }

    /** Frees the memory. The pool must not be used afterwards. */
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
