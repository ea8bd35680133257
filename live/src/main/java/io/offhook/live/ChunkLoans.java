package io.offhook.live;

import io.offhook.packet.FrameBatch;
import java.util.Arrays;
import java.util.IdentityHashMap;

/** Which batches have frames in which chunks. A chunk goes back to the kernel when its batch was given back. */
final class ChunkLoans {
    private final XdpQueues queues;
    private final IdentityHashMap<FrameBatch, Loan> loans = new IdentityHashMap<>();

    ChunkLoans(XdpQueues queues) {
        this.queues = queues;
    }

    /** The chunks of a batch, by addresses in them. */
    static final class Loan {
        private long[] addresses = new long[64];
        private int count;

        /** The batch has got the frame of that chunk. */
        void add(long address) {
            if (count == addresses.length) {
                addresses = Arrays.copyOf(addresses, count * 2);
            }
            addresses[count++] = address;
        }
    }

    /** The batch's frames are read no more. @return its loan, of nothing now */
    Loan giveBack(FrameBatch batch) {
        Loan loan = loans.get(batch);
        if (loan == null) {
            loan = new Loan();
            loans.put(batch, loan);
        }
        for (int i = 0; i < loan.count; i++) {
            queues.giveBack(loan.addresses[i]);
        }
        loan.count = 0;
        return loan;
    }
}
