package io.offhook.live;

import io.offhook.packet.FrameBatch;
import java.util.Arrays;
import java.util.IdentityHashMap;

/**
 * Which batches have frames in which ring blocks. A block goes back to the kernel when all its frames were handed over, and
 * the last batch that has some of them was given back.
 */
final class BlockLoans {
    private final PacketRing ring;
    /** Of each block: batches that have frames of it, and one more while it is not handed over whole. */
    private final int[] holders;

    private final IdentityHashMap<FrameBatch, Loan> loans = new IdentityHashMap<>();

    BlockLoans(PacketRing ring) {
        this.ring = ring;
        holders = new int[ring.blocks()];
    }

    /** The blocks of a batch. */
    private static final class Loan {
        private int[] blocks = new int[4];
        private int count;

        boolean isLast(int block) {
            return count > 0 && blocks[count - 1] == block;
        }

        void add(int block) {
            if (count == blocks.length) {
                blocks = Arrays.copyOf(blocks, count * 2);
            }
            blocks[count++] = block;
        }
    }

    /** The batch is to get frames of the block, which is at hand. */
    void lend(int block, FrameBatch batch) {
        Loan loan = loans.get(batch);
        if (loan == null) {
            loan = new Loan();
            loans.put(batch, loan);
        }
        if (!loan.isLast(block)) {
            loan.add(block);
            holders[block] += holders[block] == 0 ? 2 : 1;
        }
    }

    /** The block was handed over whole. */
    void end(int block) {
        let(block);
    }

    /** The batch's frames are read no more. */
    void giveBack(FrameBatch batch) {
        Loan loan = loans.get(batch);
        if (loan == null) {
            return;
        }
        for (int i = 0; i < loan.count; i++) {
            let(loan.blocks[i]);
        }
        loan.count = 0;
    }

    private void let(int block) {
        if (--holders[block] == 0) {
            ring.release(block);
        }
    }
}
