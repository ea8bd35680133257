package io.offhook.live.replay;

import io.offhook.live.IdleStrategy;

/** The time of a replay. Tests use one that stands still except when waiting. */
interface ReplayClock {
    /** Sets the time to 0. */
    void start();

    /** Returns nanoseconds since {@link #start}. */
    long nowNs();

    /** Waits for a part of the time left, never longer. */
    void await(long leftNs);

    /** The clock of this machine. */
    final class OfSystem implements ReplayClock {
        private final IdleStrategy idleStrategy;
        private long startNs;

        OfSystem(IdleStrategy idleStrategy) {
            this.idleStrategy = idleStrategy;
        }

        @Override
        public void start() {
            startNs = System.nanoTime();
        }

        @Override
        public long nowNs() {
            return System.nanoTime() - startNs;
        }

        @Override
        public void await(long leftNs) {
            idleStrategy.await(leftNs);
        }
    }
}
