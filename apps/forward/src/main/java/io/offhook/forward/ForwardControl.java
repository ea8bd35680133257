package io.offhook.forward;

import org.jspecify.annotations.Nullable;

/** What lanes are told, and tell. */
final class ForwardControl {
    private volatile boolean isStopping;
    private volatile @Nullable Throwable failure;

    boolean isStopping() {
        return isStopping;
    }

    void stop() {
        isStopping = true;
    }

    /** A lane cannot go on: none of the others should. */
    void fail(Throwable cause) {
        failure = cause;
        isStopping = true;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
