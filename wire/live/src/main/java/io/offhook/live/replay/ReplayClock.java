package io.offhook.live.replay;

import io.offhook.live.IdleStrategy;

/** The time of a replay. A test has one that stands until it is waited for. */
interface ReplayClock {
    /** It is 0 now. */
    void start();

    /** Nanoseconds since {@link #start}. */
    long nowNs();

    /** Passes some of the time, and not more. */
    void await(long leftNs);

    /** That of this machine. */
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
