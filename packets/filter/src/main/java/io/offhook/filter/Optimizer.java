package io.offhook.filter;

import static io.offhook.filter.Block.A_INDEX;
import static io.offhook.filter.BpfOpcode.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a program shorter: it reuses known values ({@link StatementOptimizer}), bypasses jumps whose outcome is already
 * decided, groups tests of the same value and merges equivalent blocks.
 *
 * <p>The method is that of McCanne and Jacobson ("The BSD Packet Filter", 1993), with the rules of libpcap 1.10 in its
 * order. The programs are therefore the same as libpcap's, and match the same packets even if these are truncated.
 */
final class Optimizer {
    /** Rounds that only move branches, after which the optimiser assumes a cycle; libpcap's limit. */
    private static final int MAX_IDLE_ROUNDS = 100;

    private final FlowGraph graph;
    private final ValueNumbers numbers = new ValueNumbers();
    private final StatementOptimizer statements = new StatementOptimizer(numbers);
    private boolean hasMovedBranch;
    private boolean hasChanged;

    private Optimizer(Block root) {
        graph = new FlowGraph(root);
    }

    /**
     * @return the first block of the optimised program
     * @throws ArithmeticException if the program divides by a constant 0, or shifts by more than 31
     */
    static Block optimize(Block root) {
        Optimizer optimizer = new Optimizer(root);
        optimizer.repeat(false);
        optimizer.repeat(true);
        optimizer.joinEqualBlocks();
        return optimizer.shortenStart();
    }

    private void repeat(boolean mayAlter) {
        int idleRounds = 0;
        while (idleRounds < MAX_IDLE_ROUNDS) {
            hasMovedBranch = false;
            hasChanged = false;
            graph.analyse();
            round(mayAlter);
            if (hasChanged) {
                idleRounds = 0;
            } else if (hasMovedBranch) {
                idleRounds++;
            } else {
                return;
            }
        }
    }

    private void round(boolean mayAlter) {
        numbers.clear();
        graph.findEdgesInto();
        int top = graph.maxLevel();
        for (int level = top; level >= 0; level--) {
            for (Block block = graph.atLevel(level); block != null; block = block.link) {
                optimizeBlock(block, mayAlter);
            }
        }
        if (mayAlter) {
            return; // no change allows a branch to move
        }
        for (int level = 1; level <= top; level++) {
            for (Block block = graph.atLevel(level); block != null; block = block.link) {
                thread(block.onTrue);
                thread(block.onFalse);
            }
        }
        graph.findEdgesInto();
        for (int level = 1; level <= top; level++) {
            for (Block block = graph.atLevel(level); block != null; block = block.link) {
                pullUp(block, true);
                pullUp(block, false);
            }
        }
    }

    private void optimizeBlock(Block block, boolean mayAlter) {
        Edge into = block.edgesInto;
        if (into == null) {
            Arrays.fill(block.values, 0);
        } else {
            System.arraycopy(into.from.values, 0, block.values, 0, Block.REGISTERS);
            for (Edge other = into.nextInto; other != null; other = other.nextInto) {
                for (int i = 0; i < Block.REGISTERS; i++) {
                    if (block.values[i] != other.from.values[i]) {
                        block.values[i] = 0;
                    }
                }
            }
        }
        statements.optimize(block, mayAlter);
        hasChanged |= statements.takeChanged();
        block.operandValue = isOperandX(block.code) && classOf(block.code) == JMP
                ? block.values[Block.X_INDEX]
                : numbers.ofConstant(block.k);
        block.onTrue.code = block.code;
        block.onFalse.code = -block.code;
    }

    /** Redirects an edge past blocks whose outcome is known on it. */
    private void thread(Edge edge) {
        Block next = edge.target();
        if (next.isReturn()) {
            return;
        }
        if (next.onTrue.to == next.onFalse.to && !hasConflict(edge.from, next.onTrue.target())) {
            edge.to = next.onTrue.target();
            hasChanged = true;
        }
        while (!edge.target().isReturn() && threadOnce(edge)) {
            hasMovedBranch = true;
        }
    }

    private boolean threadOnce(Edge edge) {
        for (int word = 0; word < edge.dominators.length; word++) {
            for (long left = edge.dominators[word]; left != 0; left &= left - 1) {
                Edge before = graph.edges[word * 64 + Long.numberOfTrailingZeros(left)];
                Block target = decided(edge.target(), before);
                if (target != null && !hasConflict(edge.from, target)) {
                    edge.to = target;
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * The successor of {@code block} if {@code before} was taken on the path to it; null if that does not decide the
     * jump.
     */
    private static @Nullable Block decided(Block block, Edge before) {
        boolean held = before.code >= 0;
        int code = Math.abs(before.code);
        if (block.isReturn() || block.code != code || block.values[A_INDEX] != before.from.values[A_INDEX]) {
            return null;
        }
        if (block.operandValue == before.from.operandValue) {
            return held ? block.onTrue.target() : block.onFalse.target();
        }
        boolean isOtherConstant = held && code == (JMP | JEQ | K);
        return isOtherConstant ? block.onFalse.target() : null;
    }

    /** Whether a register that is read after {@code target} has a different value there than after {@code from}. */
    private static boolean hasConflict(Block from, Block target) {
        for (int i = 0; i < Block.REGISTERS; i++) {
            if ((target.usedOut >> i & 1) != 0 && from.values[i] != target.values[i]) {
                return true;
            }
        }
        return false;
    }

    /**
     * In a chain of blocks that share a successor, moves up a block that tests the value already loaded. The chain
     * shares the true successor if {@code isOr}, otherwise the false successor.
     */
    private void pullUp(Block block, boolean isOr) {
        Edge into = block.edgesInto;
        if (into == null) {
            return;
        }
        int value = into.from.values[A_INDEX];
        for (Edge other = into.nextInto; other != null; other = other.nextInto) {
            if (other.from.values[A_INDEX] != value) {
                return;
            }
        }
        Edge above = into.from.onTrue.to == block ? into.from.onTrue : into.from.onFalse;
        boolean isAtTop = true;
        while (isInChain(above.to, block, isOr) && above.target().values[A_INDEX] == value) {
            above = chain(above.target(), isOr);
            isAtTop = false;
        }
        if (!isInChain(above.to, block, isOr)) {
            return;
        }
        Edge below = chain(above.target(), isOr);
        while (isInChain(below.to, block, isOr) && below.target().values[A_INDEX] != value) {
            below = chain(below.target(), isOr);
        }
        if (!isInChain(below.to, block, isOr)) {
            return;
        }
        Block pulled = below.target();
        below.to = chain(pulled, isOr).to;
        chain(pulled, isOr).to = above.to;
        if (isAtTop) {
            for (Edge edge = into; edge != null; edge = edge.nextInto) {
                Edge turned = edge.from.onTrue.to == block ? edge.from.onTrue : edge.from.onFalse;
                turned.to = pulled;
            }
        } else {
            above.to = pulled;
        }
        // dominators stay as they are until the next round, which recomputes the levels first
        hasMovedBranch = true;
    }

    private static Edge chain(Block block, boolean isOr) {
        return isOr ? block.onFalse : block.onTrue;
    }

    private static boolean isInChain(@Nullable Block candidate, Block top, boolean isOr) {
        return candidate != null
                && !candidate.isReturn()
                && chain(candidate, !isOr).to == chain(top, !isOr).to
                && FlowGraph.isDominatedBy(candidate, top.id);
    }

    /** What a block does; blocks with equal actions are merged. */
    private record Action(
            int code,
            int k,
            @Nullable Block onTrue,
            @Nullable Block onFalse,
            List<Integer> statements) {
        static Action of(Block block) {
            List<Integer> statements = new ArrayList<>();
            for (Statement s : block.statements) {
                if (!s.isRemoved()) {
                    statements.add(s.code);
                    statements.add(s.k);
                }
            }
            return new Action(block.code, block.k, block.onTrue.to, block.onFalse.to, statements);
        }

        // written out: the methods that the compiler generates for a record are linked on first use, which takes
        // milliseconds

        @Override
        public boolean equals(Object other) {
            return other instanceof Action that
                    && code == that.code
                    && k == that.k
                    && onTrue == that.onTrue
                    && onFalse == that.onFalse
                    && statements.equals(that.statements);
        }

        @Override
        public int hashCode() {
            return (code * 31 + k) * 31 + statements.hashCode();
        }
    }

    private void joinEqualBlocks() {
        boolean again = true;
        while (again) {
            again = false;
            Set<Block> alive = Collections.newSetFromMap(new IdentityHashMap<>());
            alive.addAll(FlowGraph.preorder(graph.root));
            Map<Action, Block> later = new HashMap<>();
            for (Block block : graph.blocks.reversed()) {
                block.link = null;
                if (alive.contains(block)) {
                    Block equal = later.put(Action.of(block), block);
                    if (equal != null) {
                        block.link = equal.link != null ? equal.link : equal;
                    }
                }
            }
            for (Block block : graph.blocks) {
                again |= follow(block.onTrue);
                again |= follow(block.onFalse);
            }
        }
    }

    private static boolean follow(Edge edge) {
        if (edge.to == null || edge.to.link == null) {
            return false;
        }
        edge.to = edge.to.link;
        return true;
    }

    /** Removes blocks at the start whose branches lead to the same place, keeping their statements. */
    private Block shortenStart() {
        Block start = graph.root;
        List<Statement> kept = start.statements;
        start.statements = new ArrayList<>();
        while (!start.isReturn() && start.onTrue.to == start.onFalse.to) {
            start = start.onTrue.target();
        }
        List<Statement> all = new ArrayList<>(kept);
        all.addAll(start.statements);
        start.statements = start.isReturn() ? new ArrayList<>() : all;
        return start;
    }
}
