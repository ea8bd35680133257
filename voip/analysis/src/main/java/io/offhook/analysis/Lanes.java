package io.offhook.analysis;

import io.offhook.packet.buffer.BorrowingThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * The threads of a pipeline, which go through the phases of a round in step. In a phase each thread takes the next work
 * to be done; between phases, while all wait, one of them does what must be done alone.
 */
final class Lanes {
    private final int count;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final BooleanSupplier isOneEnough;
    private final Life life;
    private volatile boolean stop;
    private volatile boolean oneIsEnough;

    /**
     * Called for each lane on its own thread: before anything else, and, if that did not fail, after everything else,
     * even where the run failed.
     */
    interface Life {
        /** Does nothing. */
        Life UNWATCHED = (lane, begins) -> {};

        /** @param lane from 0 */
        void lane(int lane, boolean begins);

        /**
         * Called by a lane of several that begins to wait for others, or has waited.
         *
         * @param begins false when it has waited
         */
        default void waits(boolean begins) {}
    }

    /** @param isOneEnough whether all lanes but the first sit out the next round; called between rounds */
    Lanes(int count, BooleanSupplier isOneEnough, Life life) {
        this.count = count;
        this.isOneEnough = isOneEnough;
        this.life = life;
    }

    /**
     * Repeats the phases on all lanes until {@code done}; the calling thread is the first lane. What a lane throws ends
     * all lanes and is thrown from here.
     */
    void run(List<Phase> phases, BooleanSupplier done) {
        // evaluated while all wait: later, a faster lane could already have changed the answer in its next round
        Phase last = phase(() -> {}, () -> {
            stop = done.getAsBoolean();
            oneIsEnough = isOneEnough.getAsBoolean();
        });
        oneIsEnough = isOneEnough.getAsBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            int lane = i;
            Thread thread = new Thread(() -> lane(phases, last, lane), "offhook-lane-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        lane(phases, last, 0);
        BorrowingThreads.join(threads);
        Throwable thrown = failure.get();
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
    }

    private void lane(List<Phase> phases, Phase last, int lane) {
        boolean hasBegun = guarded(() -> life.lane(lane, true));
        while (!stop) {
            boolean works = lane == 0 || !oneIsEnough;
            for (Phase phase : phases) {
                phase.run(works);
            }
            last.run(works);
        }
        if (hasBegun) {
            run(() -> life.lane(lane, false));
        }
    }

    /** Creates a phase: {@code work} on each lane, then {@code alone} on one while the others wait. */
    Phase phase(Runnable work, Runnable alone) {
        return new Phase(work, new CyclicBarrier(count, () -> betweenPhases(alone)));
    }

    /** Runs between phases, also after a failure; nothing more is done then, and all lanes stop. */
    private void betweenPhases(Runnable alone) {
        waits(false); // the last lane to arrive does it
        guarded(alone);
        waits(true);
        stop |= failure.get() != null;
    }

    private void waits(boolean begins) {
        if (count > 1) {
            life.waits(begins);
        }
    }

    /** Does some work unless a lane has failed; returns whether it was done. */
    private boolean guarded(Runnable work) {
        return failure.get() == null && run(work);
    }

    private boolean run(Runnable work) {
        try {
            work.run();
            return true;
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
            return false;
        }
    }

    /** One phase of a round. */
    final class Phase {
        private final Runnable work;
        private final CyclicBarrier end;

        private Phase(Runnable work, CyclicBarrier end) {
            this.work = work;
            this.end = end;
        }

        /** Does this lane's part, if it has one, and waits for the others. */
        private void run(boolean works) {
            if (works) {
                guarded(work);
            }
            waits(true);
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure.compareAndSet(null, new IllegalStateException("interrupted in the middle of an analysis", e));
                stop = true;
            } catch (BrokenBarrierException e) {
                failure.compareAndSet(null, new IllegalStateException("another lane was interrupted", e));
                stop = true;
            }
            waits(false);
        }
    }
}
