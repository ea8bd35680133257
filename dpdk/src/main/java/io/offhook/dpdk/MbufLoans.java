package io.offhook.dpdk;

import io.offhook.packet.FrameBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** Which batches have which mbufs: they are freed when the batch is handed in again, all at once. */
final class MbufLoans {
    /** Of a batch: for packets that do not lie in one mbuf of the pool. */
    private static final int COPIES_BYTES = 1 << 20;

    private final IdentityHashMap<FrameBatch, Loan> loans = new IdentityHashMap<>();
    private final Arena arena = Arena.ofShared();

    /** The mbufs of a batch, and its copies. */
    final class Loan {
        private final MbufArray mbufs;
        private @Nullable MemorySegment copies;
        private long copied;

        private Loan(int capacity) {
            mbufs = new MbufArray(capacity);
        }

        void add(long mbuf) {
            mbufs.add(mbuf);
        }

        /** Whether another mbuf has room. */
        boolean isFull() {
            return mbufs.isFull();
        }

        /** Whether a copy of so many bytes has room. */
        boolean hasRoom(int bytes) {
            return copied + bytes <= COPIES_BYTES;
        }

        /** Where in {@link #copies} the next one goes. */
        long end() {
            return copied;
        }

        /** Memory for copies, the same each time. */
        MemorySegment copies() {
            MemorySegment memory = copies;
            if (memory == null) {
                memory = arena.allocate(COPIES_BYTES);
                copies = memory;
            }
            return memory;
        }

        /** The copy at the end is kept. */
        void keep(int bytes) {
            copied += bytes;
        }

        private void giveBack() {
            mbufs.free();
            copied = 0;
        }
    }

    /** What the batch had is given back, and it can have new ones. */
    Loan begin(FrameBatch batch) {
        Loan loan = loans.get(batch);
        if (loan == null) {
            loan = new Loan(Math.min(batch.capacity(), MbufArray.MAX_CAPACITY));
            loans.put(batch, loan);
        } else {
            loan.giveBack();
        }
        return loan;
    }

    /** @param isPoolThere whether what all batches have can be given back */
    void close(boolean isPoolThere) {
        if (isPoolThere) {
            loans.values().forEach(Loan::giveBack);
        }
        loans.clear();
        arena.close();
    }
}
