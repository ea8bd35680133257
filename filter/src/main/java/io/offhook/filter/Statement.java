package io.offhook.filter;

import org.jspecify.annotations.Nullable;

/**
 * One instruction before it has a place: of the statements that a {@link Block} runs before its jump. A jump among them
 * (libpcap has a few, where a block computes the length of a header) goes to another statement of the same block.
 */
final class Statement {
    /** The code of a statement that the optimiser took away. */
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
