package io.offhook.forward;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The signals between a forwarder and its lanes: stop and failure. */
final class ForwardControl {
    private static final int MANY = 1 << 20;
    private static final long MOST_NS = 1_000_000_000;

    private volatile boolean isStopping;
    private volatile @Nullable Throwable failure;
    private final Semaphore running = new Semaphore(0);

    /** Reports that a lane has begun. */
    void begun() {
        running.release();
    }

    /** Waits until so many lanes have begun or one has failed; not for ever, since a port may hold a lane up. */
    void awaitBegun(int lanes) {
        boolean isInterrupted = false;
        long endNs = System.nanoTime() + MOST_NS;
        while (true) {
            try {
                boolean _ = running.tryAcquire(lanes, endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
                break;
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isStopping() {
        return isStopping;
    }

    void stop() {
        isStopping = true;
    }

    /** A lane failed: all others stop, too. */
    void fail(Throwable cause) {
        failure = cause;
        isStopping = true;
        running.release(MANY);
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
