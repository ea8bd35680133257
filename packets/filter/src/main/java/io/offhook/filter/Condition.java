package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.JMP;

import java.util.ArrayList;
import java.util.List;

/**
 * What a packet must satisfy: tests, combined by and, or and not. {@link #link} turns a condition into a graph of
 * blocks.
 */
sealed interface Condition {
    /** A block whose jump decides. It may be linked only once. */
    record Test(Block block) implements Condition {}

    record All(Condition first, Condition second) implements Condition {}

    record Any(Condition first, Condition second) implements Condition {}

    record Inverse(Condition condition) implements Condition {}

    /** Statements, then a comparison of A. {@code operation} is JEQ, JGT, JGE or JSET, with K or X. */
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
     * Links the tests so that control reaches {@code whenTrue} if the condition holds, otherwise {@code whenFalse}.
     * There is no switch over types, because HotSpot would generate a class for it at run time.
     *
     * @return the first block
     */
    default Block link(Block whenTrue, Block whenFalse) {
        Block yes = whenTrue;
        Block no = whenFalse;
        Condition condition = this;
        while (true) { // a chain is deep on its first side: only the second recurses
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
