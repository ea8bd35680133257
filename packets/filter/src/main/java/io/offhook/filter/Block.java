package io.offhook.filter;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A basic block: statements, then a conditional jump to one of two blocks, or a return. Blocks and edges form a
 * directed acyclic graph.
 */
final class Block {
    /** The table index of A. A and X follow the memory words in all tables indexed by register. */
    static final int A_INDEX = BpfOpcode.MEMORY_WORDS;

    static final int X_INDEX = BpfOpcode.MEMORY_WORDS + 1;
    static final int REGISTERS = BpfOpcode.MEMORY_WORDS + 2;

    List<Statement> statements;
    int code;
    int k;
    final Edge onTrue = new Edge(this);
    final Edge onFalse = new Edge(this);

    // state of the optimiser
    int id;
    int level;
    /** The ids of the blocks on every path from the root to this block, as a bit set. */
    long[] dominators = {};
    /** The value number of each register at the end of the block; 0 if unknown. */
    final int[] values = new int[REGISTERS];
    /** The number of the value that the jump compares A with. */
    int operandValue;
    /** Register sets, one bit each: read before written here or later, read later, written before read. */
    int usedIn;

    int usedOut;
    int killed;

    @Nullable
    Edge edgesInto;

    /** The next block of the same level, or the equivalent block that replaces this one. */
    @Nullable
    Block link;

    // state of the emitter
    int place = -1;
    boolean isFarTrue;
    boolean isFarFalse;

    Block(int code, int k, List<Statement> statements) {
        this.code = code;
        this.k = k;
        this.statements = statements;
    }

    static Block returning(int k) {
        return new Block(BpfOpcode.RET | BpfOpcode.K, k, new ArrayList<>());
    }

    boolean isReturn() {
        return onTrue.to == null;
    }

    /** Counts the statements that the optimiser has not removed. */
    int countStatements() {
        int count = 0;
        for (Statement statement : statements) {
            if (!statement.isRemoved()) {
                count++;
            }
        }
        return count;
    }
}
