package io.offhook.filter;

import org.jspecify.annotations.Nullable;

/** The branch from a block to its successor for one outcome of its condition. */
final class Edge {
    final Block from;

    /** The successor; null if the block returns. */
    @Nullable
    Block to;

    // state of the optimiser
    int id;
    /** The code of the jump that this edge decides; negative if its condition did not hold. */
    int code;
    /** The ids of the edges on every path from the root to this edge, as a bit set. */
    long[] dominators = {};
    /** The next edge in the list of edges into the same block. */
    @Nullable
    Edge nextInto;

    Edge(Block from) {
        this.from = from;
    }

    /** The successor of a block that does not return. */
    Block target() {
        Block target = to;
        if (target == null) {
            throw new IllegalStateException("internal error: a block that returns has no successor");
        }
        return target;
    }
}
