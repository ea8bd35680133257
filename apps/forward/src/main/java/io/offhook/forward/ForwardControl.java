package io.offhook.forward;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The signals between a forwarder and its lanes: stop and failure. */
final class ForwardControl {
    private static final int MANY = 1 << 20;

    private volatile boolean isStopping;
    private volatile @Nullable Throwable failure;
    private final Semaphore running = new Semaphore(0);

    /** Reports that a lane has begun. */
    void begun() {
        running.release();
    }

    /** Waits until so many lanes have begun, or one has failed. */
    void awaitBegun(int lanes) {
        running.acquireUninterruptibly(lanes);
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
