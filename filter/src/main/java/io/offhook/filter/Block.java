package io.offhook.filter;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A basic block: statements, then a conditional jump to one of two blocks, or a return. Blocks and edges make a directed
 * graph without cycles.
 */
final class Block {
    /** A and X stand behind the memory words in all tables by register. */
    static final int A_INDEX = BpfOpcode.MEMORY_WORDS;

    static final int X_INDEX = BpfOpcode.MEMORY_WORDS + 1;
    static final int REGISTERS = BpfOpcode.MEMORY_WORDS + 2;

    List<Statement> statements;
    int code;
    int k;
    final Edge onTrue = new Edge(this);
    final Edge onFalse = new Edge(this);

    // what the optimiser knows of it
    int id;
    int level;
    /** The ids of the blocks that each way from the root to here passes. */
    long[] dominators = {};
    /** The number of the value that each register has at the end; 0 where it is not known. */
    final int[] values = new int[REGISTERS];
    /** The number of the value that the jump compares with. */
    int operandValue;
    /** Registers, a bit each: read before written here or after, read after here, written before read. */
    int usedIn;

    int usedOut;
    int killed;

    @Nullable
    Edge edgesInto;

    /** The next of the same level, or the block that says the same and stands for this. */
    @Nullable
    Block link;

    // what the emitter knows of it
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

    /** How many of its statements are left. */
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
