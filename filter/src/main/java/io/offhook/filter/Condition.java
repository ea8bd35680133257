package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.JMP;

import java.util.ArrayList;
import java.util.List;

/** What a packet must be, as tests that the code generator has made and put together; {@link #link} makes a graph of it. */
sealed interface Condition {
    /** A block whose jump decides. Linked once. */
    record Test(Block block) implements Condition {}

    record All(Condition first, Condition second) implements Condition {}

    record Any(Condition first, Condition second) implements Condition {}

    record Inverse(Condition condition) implements Condition {}

    /** Statements, then a comparison of A: {@code operation} is JEQ, JGT, JGE or JSET, with K or X. */
    static Condition test(List<Statement> statements, int operation, int k) {
        return new Test(new Block(JMP | operation, k, new ArrayList<>(statements)));
    }

    default Condition and(Condition second) {
        return new All(this, second);
    }

    default Condition or(Condition second) {
        return new Any(this, second);
    }

    default Condition not() {
        return new Inverse(this);
    }

    /**
     * Gives the tests their next blocks, so that {@code whenTrue} is reached where the condition holds. No switch over
     * types: HotSpot would make a class for it.
     *
     * @return the block to start from
     */
    default Block link(Block whenTrue, Block whenFalse) {
        Block yes = whenTrue;
        Block no = whenFalse;
        Condition condition = this;
        while (true) { // a chain of ands and ors is deep on its first side: only the second is recursion
            if (condition instanceof All(Condition first, Condition second)) {
                yes = second.link(yes, no);
                condition = first;
            } else if (condition instanceof Any(Condition first, Condition second)) {
                no = second.link(yes, no);
                condition = first;
            } else if (condition instanceof Inverse(Condition inner)) {
                Block swap = yes;
                yes = no;
                no = swap;
                condition = inner;
            } else {
                Block block = ((Test) condition).block();
                block.onTrue.to = yes;
                block.onFalse.to = no;
                return block;
            }
        }
    }
}
