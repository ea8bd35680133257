package io.offhook.filter;

import org.jspecify.annotations.Nullable;

/**
 * An instruction that has no address yet: one of the statements that a {@link Block} executes before its jump. A jump
 * among statements (libpcap generates a few, to compute header lengths) targets another statement of the same block.
 */
final class Statement {
    /** The code of a statement that the optimiser removed. */
    static final int REMOVED = -1;

    int code;
    int k;

    @Nullable
    Statement whenTrue;

    @Nullable
    Statement whenFalse;

    Statement(int code, int k) {
        this.code = code;
        this.k = k;
    }

    boolean isRemoved() {
        return code == REMOVED;
    }
}
