package io.offhook.live;

import io.offhook.packet.FrameBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.IdentityHashMap;

/**
 * Records which places of a ring (blocks, chunks, mbufs) each batch borrows. They return to the driver when the batch
 * is filled again. One thread at a time.
 */
public final class BatchLoans {
    private static final long FRAME_ROOM = 1024;
    private static final long LEAST_COPIES = 1 << 20;
    private static final long MOST_COPIES = 4 << 20;

    private final RingDriver driver;
    private final IdentityHashMap<FrameBatch, Loan> loans = new IdentityHashMap<>();
    private final Arena arena = Arena.ofShared();

    BatchLoans(RingDriver driver) {
        this.driver = driver;
    }

    /** What one batch borrows. */
    public static final class Loan {
        private final FrameBatch batch;
        private final Arena arena;
        private long[] places = new long[64];
        private int count;
        private MemorySegment copies = MemorySegment.NULL;
        private long copied;

        private Loan(FrameBatch batch, Arena arena) {
            this.batch = batch;
            this.arena = arena;
        }

        /** Records that the batch has a frame in a place, given by the driver's number for it. */
        public void add(long place) {
            if (count == places.length) {
                places = Arrays.copyOf(places, count * 2);
            }
            places[count++] = place;
        }

        /** Returns whether that place was the last one added. */
        public boolean isLast(long place) {
            return count > 0 && places[count - 1] == place;
        }

        /**
         * Returns the batch's own memory for copied frames: 1 KiB per frame of its capacity, 1 to 4 MiB; always the
         * same. It is this source's, because memory that another source left in the batch ends with that source.
         */
        public MemorySegment copies() {
            if (copies.byteSize() == 0) {
                copies = arena.allocate(Math.clamp(batch.capacity() * FRAME_ROOM, LEAST_COPIES, MOST_COPIES));
            }
            batch.buffer(copies);
            return copies;
        }

        /** Returns the offset of the next copy in {@link #copies}. */
        public long end() {
            return copied;
        }

        /** Returns whether there is room for a copy of so many bytes. */
        public boolean hasRoom(long bytes) {
            return bytes <= copies().byteSize() - copied;
        }

        /** Keeps the copy of so many bytes at the end. */
        public void keep(long bytes) {
            copied += bytes;
        }
    }

    /**
     * Ends a batch's loan, because its frames are no longer read.
     *
     * @return the loan of the batch, now empty
     */
    Loan giveBack(FrameBatch batch) {
        Loan loan = loans.get(batch);
        if (loan == null) {
            loan = new Loan(batch, arena);
            loans.put(batch, loan);
        }
        giveBack(loan);
        return loan;
    }

    private void giveBack(Loan loan) {
        int count = loan.count;
        loan.count = 0;
        loan.copied = 0;
        if (count > 0) {
            driver.giveBack(loan.places, count);
        }
    }

    /** Ends all loans, because no frames are read any more. */
    void close() {
        try {
            loans.values().forEach(this::giveBack);
        } finally {
            loans.clear();
            arena.close();
        }
    }
}
