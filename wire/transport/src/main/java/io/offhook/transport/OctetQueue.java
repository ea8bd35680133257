package io.offhook.transport;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that wait to be sent, first in, first out, in blocks borrowed from a pool. An empty queue holds no block. Not
 * thread-safe.
 */
final class OctetQueue {
    private static final int BLOCK_BYTES = 4096;

    private final OctetPool pool;
    private byte @Nullable [][] blocks;
    private int firstBlock;
    private int blockCount;
    /** Where the first byte is in the first block. */
    private int start;
    /** Behind the last byte in the last block. */
    private int end;

    private int length;

    OctetQueue(OctetPool pool) {
        this.pool = pool;
    }

    int length() {
        return length;
    }

    boolean isEmpty() {
        return length == 0;
    }

    void append(byte[] octets, int offset, int count) {
        int at = offset;
        int left = count;
        while (left > 0) {
            if (blockCount == 0 || end == BLOCK_BYTES) {
                addBlock();
            }
            int bytes = Math.min(left, BLOCK_BYTES - end);
            System.arraycopy(octets, at, block(blockCount - 1), end, bytes);
            end += bytes;
            at += bytes;
            left -= bytes;
        }
        length += count;
    }

    /** Copies bytes from the front as far as they and the room go, and keeps them. */
    void peek(ByteBuffer to) {
        int left = Math.min(length, to.remaining());
        int from = start;
        for (int i = 0; left > 0; i++) {
            int bytes = Math.min(left, BLOCK_BYTES - from);
            to.put(block(i), from, bytes);
            left -= bytes;
            from = 0;
        }
    }

    /** Removes bytes from the front; at most {@link #length()}. */
    void discard(int count) {
        length -= count;
        start += count;
        while (blockCount > 0 && (start >= BLOCK_BYTES || length == 0)) {
            removeBlock();
            start -= BLOCK_BYTES;
        }
        if (length == 0) {
            start = 0;
            end = 0;
        }
    }

    void clear() {
        discard(length);
        blocks = null;
    }

    private byte[] block(int i) {
        byte[][] all = blocks;
        if (all == null) {
            throw new IllegalStateException("an empty queue has no blocks");
        }
        return all[firstBlock + i & all.length - 1];
    }

    private void addBlock() {
        byte[][] all = blocks;
        if (all == null) {
            all = new byte[2][];
        } else if (blockCount == all.length) {
            byte[][] larger = new byte[2 * blockCount][];
            for (int i = 0; i < blockCount; i++) {
                larger[i] = block(i);
            }
            firstBlock = 0;
            all = larger;
        }
        blocks = all;
        all[firstBlock + blockCount & all.length - 1] = pool.borrow(BLOCK_BYTES);
        blockCount++;
        end = 0;
    }

    @SuppressWarnings("NullAway") // a place without a block
    private void removeBlock() {
        byte[][] all = blocks;
        pool.giveBack(block(0));
        all[firstBlock] = null;
        firstBlock = firstBlock + 1 & all.length - 1;
        blockCount--;
    }
}
