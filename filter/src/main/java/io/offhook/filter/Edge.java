package io.offhook.filter;

import org.jspecify.annotations.Nullable;

/** The way from a block to the next when its condition holds, or when it does not. */
final class Edge {
    final Block from;

    /** Where it goes; null where the block returns. */
    @Nullable
    Block to;

    // what the optimiser knows of it
    int id;
    /** The code of the jump that was decided on the way; negative where its condition did not hold. */
    int code;
    /** The ids of the edges that each way from the root to here takes. */
    long[] dominators = {};
    /** The next of the edges that lead to the same block. */
    @Nullable
    Edge nextInto;

    Edge(Block from) {
        this.from = from;
    }

    /** Where it goes, of a block that does not return. */
    Block target() {
        Block target = to;
        if (target == null) {
            throw new IllegalStateException("a block that returns has no next");
        }
        return target;
    }
}
