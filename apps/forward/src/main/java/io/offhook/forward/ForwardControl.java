package io.offhook.forward;

import org.jspecify.annotations.Nullable;

/** The signals between a forwarder and its lanes: stop and failure. */
final class ForwardControl {
    private volatile boolean isStopping;
    private volatile @Nullable Throwable failure;

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
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
