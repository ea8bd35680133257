package io.offhook.collector;

import io.offhook.live.BatchLoans;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of frames between the threads of transports, which write, and the one that reads: blocks of memory, made
 * as they are needed, in which frames stand one behind the other. What is read is lent to batches; a block is written again
 * when all of its frames were given back. A writer without a free block waits.
 */
final class FrameBlocks implements AutoCloseable {
    /** Holds the longest frame. */
    static final int BLOCK_BYTES = 128 << 10;

    private static final int MOST_FRAMES = 1024;

    /** Some frames. */
    private static final class Block {
        final int index;
        final MemorySegment memory;
        final int[] offsets = new int[MOST_FRAMES + 1];
        final long[] timesNs = new long[MOST_FRAMES];
        int count;
        // of the reading thread
        int read;
        int lent;

        Block(int index, MemorySegment memory) {
            this.index = index;
            this.memory = memory;
        }

        boolean hasRoom(int bytes) {
            return count < MOST_FRAMES && BLOCK_BYTES - offsets[count] >= bytes;
        }
    }

    private final Arena arena = Arena.ofShared();
    private final int mostBlocks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrival = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final List<Block> blocks = new ArrayList<>();
    private final ArrayDeque<Block> free = new ArrayDeque<>();
    private final ArrayDeque<Block> full = new ArrayDeque<>();
    private @Nullable Block filling;
    private boolean isWoken;
    private boolean isClosed;
    private long waits;
    private long added;
    /** Of the reading thread. */
    private @Nullable Block reading;

    private long taken;

    FrameBlocks(long bytes) {
        mostBlocks = (int) (bytes / BLOCK_BYTES);
    }

    /** Writes a frame into the memory that it is given, and says how long it is. */
    @FunctionalInterface
    interface FrameWriter {
        /**
         * @return the length of the frame; 0 to write none
         */
        int write(MemorySegment to, long offset);
    }

    /**
     * Adds a frame; waits until there is room.
     *
     * @param most the most bytes that it can have, at most {@value #BLOCK_BYTES}
     * @param timestampNs nanoseconds since the epoch
     * @return false if it wrote none, or the queue was closed
     */
    boolean add(int most, long timestampNs, FrameWriter frame) {
        lock.lock();
        try {
            Block block = roomFor(most);
            if (block == null) {
                return false;
            }
            int offset = block.offsets[block.count];
            int length = frame.write(block.memory, offset);
            if (length == 0) {
                return false;
            }
            block.timesNs[block.count] = timestampNs;
            block.count++;
            block.offsets[block.count] = offset + length;
            added++;
            if (added - taken == 1 || block.count == 1) {
                arrival.signal();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Block roomFor(int bytes) {
        boolean hasWaited = false;
        while (!isClosed) {
            Block block = filling;
            if (block != null && block.hasRoom(bytes)) {
                return block;
            }
            if (block != null) {
                full.add(block);
                filling = null;
            }
            Block next = free.poll();
            if (next == null && blocks.size() < mostBlocks) {
                next = new Block(blocks.size(), arena.allocate(BLOCK_BYTES));
                blocks.add(next);
            }
            if (next != null) {
                next.count = 0;
                next.read = 0;
                filling = next;
            } else {
                waits += hasWaited ? 0 : 1;
                hasWaited = true;
                arrival.signal();
                room.awaitUninterruptibly();
            }
        }
        return null;
    }

    /** Adds the frames that are there to a batch, as far as it has room. */
    void fill(FrameBatch batch, BatchLoans.Loan loan) {
        while (!batch.isFull()) {
            Block block = next();
            int segment = block == null ? -1 : batch.addSegment(block.memory);
            if (block == null || segment < 0) {
                return;
            }
            int count = Math.min(block.count - block.read, batch.capacity() - batch.count());
            for (int i = block.read; i < block.read + count; i++) {
                int length = block.offsets[i + 1] - block.offsets[i];
                batch.add(segment, block.offsets[i], length, length, block.timesNs[i], 0, LinkType.RAW);
            }
            block.read += count;
            block.lent++;
            loan.add(block.index);
        }
    }

    /** The block with the next frame, which no writer has any more; null if there is none. */
    private @Nullable Block next() {
        Block block = reading;
        if (block != null && block.read < block.count) {
            return block;
        }
        lock.lock();
        try {
            Block next = full.poll();
            if (next == null && filling != null && filling.count > 0) {
                next = filling;
                filling = null;
            }
            reading = next;
            taken += next == null ? 0 : next.count;
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Takes back what was lent to a batch. */
    void giveBack(long[] places, int count) {
        lock.lock();
        try {
            for (int i = 0; i < count; i++) {
                Block block = blocks.get((int) places[i]);
                block.lent--;
                if (block.lent == 0 && block.read == block.count) {
                    if (block.equals(reading)) {
                        reading = null;
                    }
                    free.push(block);
                    room.signalAll();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    boolean hasFrames() {
        lock.lock();
        try {
            return hasFramesLocked();
        } finally {
            lock.unlock();
        }
    }

    private boolean hasFramesLocked() {
        Block block = reading;
        return block != null && block.read < block.count || !full.isEmpty() || filling != null && filling.count > 0;
    }

    /** Waits for frames, {@link #wakeUp} or the end of the time. */
    void await(int atMostMs) {
        boolean isInterrupted = false;
        lock.lock();
        try {
            long leftNs = TimeUnit.MILLISECONDS.toNanos(atMostMs);
            while (leftNs > 0 && !isWoken && !hasFramesLocked()) {
                try {
                    leftNs = arrival.awaitNanos(leftNs);
                } catch (InterruptedException e) {
                    isInterrupted = true; // only stop ends the source
                    leftNs = 0;
                }
            }
            isWoken = false;
        } finally {
            lock.unlock();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void wakeUp() {
        lock.lock();
        try {
            isWoken = true;
            arrival.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Frames that were added and not read. */
    long waiting() {
        lock.lock();
        try {
            Block block = reading;
            return added - taken + (block == null ? 0 : block.count - block.read);
        } finally {
            lock.unlock();
        }
    }

    /** How often a writer had to wait. */
    long waits() {
        lock.lock();
        try {
            return waits;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the waiting of writers, whose frames are lost. */
    void end() {
        lock.lock();
        try {
            isClosed = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Frees the memory, once no thread writes any more. */
    @Override
    public void close() {
        end();
        arena.close();
    }
}
