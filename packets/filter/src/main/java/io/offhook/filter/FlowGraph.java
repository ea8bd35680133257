package io.offhook.filter;

import static io.offhook.filter.Block.A_INDEX;
import static io.offhook.filter.Block.X_INDEX;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a program with the results of data-flow analysis: levels (0 for a return, otherwise one more than the
 * higher successor), dominators of blocks and edges, and the registers that are read later.
 */
final class FlowGraph {
    private static final int READS_NONE = -1;
    private static final int READS_BOTH = -2;

    final Block root;
    /** The reachable blocks, in depth-first preorder. */
    final List<Block> blocks;
    /** The edges by id: first those taken if a condition holds, then those taken if it does not. */
    Edge[] edges = {};

    /** The first block of each level; {@link Block#link} leads to the others. */
    private @Nullable Block[] levels = {};

    FlowGraph(Block root) {
        this.root = root;
        blocks = preorder(root);
    }

    /** Renumbers the remaining blocks and their edges, so that bit sets stay as small as possible. */
    private void number() {
        blocks.removeIf(block -> block.level < 0);
        int count = blocks.size();
        if (edges.length == 2 * count) {
            return;
        }
        edges = new Edge[2 * count];
        for (int i = 0; i < count; i++) {
            Block block = blocks.get(i);
            block.id = i;
            block.dominators = new long[(count + 63) / 64];
            number(block.onTrue, i);
            number(block.onFalse, count + i);
        }
    }

    private void number(Edge edge, int id) {
        edge.id = id;
        edge.dominators = new long[(edges.length + 63) / 64];
        edges[id] = edge;
    }

    /** The reachable blocks, each before its successors, the true branch first. */
    static List<Block> preorder(Block start) {
        List<Block> order = new ArrayList<>();
        Set<Block> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Block> open = new ArrayDeque<>();
        open.push(start);
        while (!open.isEmpty()) {
            Block block = open.pop();
            if (!seen.add(block)) {
                continue;
            }
            order.add(block);
            if (!block.isReturn()) {
                open.push(block.onFalse.target());
                open.push(block.onTrue.target());
            }
        }
        return order;
    }

    int maxLevel() {
        return root.level;
    }

    /** The first block of a level; {@link Block#link} leads to the others. */
    @Nullable
    Block atLevel(int level) {
        return levels[level];
    }

    void analyse() {
        findLevels();
        number();
        findDominators();
        findUses();
        findEdgeDominators();
    }

    private void findLevels() {
        for (Block block : blocks) {
            block.level = -1;
        }
        levels = new Block[blocks.size()];
        ArrayDeque<Block> open = new ArrayDeque<>();
        open.push(root);
        while (!open.isEmpty()) {
            Block block = open.peek();
            if (block.level >= 0) {
                open.pop();
            } else if (block.isReturn()) {
                place(block, 0);
                open.pop();
            } else if (block.onTrue.target().level < 0) {
                open.push(block.onTrue.target());
            } else if (block.onFalse.target().level < 0) {
                open.push(block.onFalse.target());
            } else {
                place(block, Math.max(block.onTrue.target().level, block.onFalse.target().level) + 1);
                open.pop();
            }
        }
    }

    private void place(Block block, int level) {
        block.level = level;
        block.link = levels[level];
        levels[level] = block;
    }

    private void findDominators() {
        for (Block block : blocks) {
            Arrays.fill(block.dominators, -1L);
        }
        Arrays.fill(root.dominators, 0);
        for (int level = root.level; level >= 0; level--) {
            for (Block block = levels[level]; block != null; block = block.link) {
                block.dominators[block.id >> 6] |= 1L << block.id;
                if (!block.isReturn()) {
                    intersect(block.onTrue.target().dominators, block.dominators);
                    intersect(block.onFalse.target().dominators, block.dominators);
                }
            }
        }
    }

    /** Whether every path to {@code block} passes through block {@code id}. */
    static boolean isDominatedBy(Block block, int id) {
        return (block.dominators[id >> 6] >>> id & 1) != 0;
    }

    private void findEdgeDominators() {
        for (Edge edge : edges) {
            Arrays.fill(edge.dominators, -1L);
        }
        Arrays.fill(root.onTrue.dominators, 0);
        Arrays.fill(root.onFalse.dominators, 0);
        for (int level = root.level; level >= 0; level--) {
            for (Block block = levels[level]; block != null; block = block.link) {
                spread(block.onTrue);
                spread(block.onFalse);
            }
        }
    }

    private static void spread(Edge edge) {
        edge.dominators[edge.id >> 6] |= 1L << edge.id;
        if (edge.to != null) {
            intersect(edge.to.onTrue.dominators, edge.dominators);
            intersect(edge.to.onFalse.dominators, edge.dominators);
        }
    }

    private static void intersect(long[] set, long[] other) {
        for (int i = 0; i < set.length; i++) {
            set[i] &= other[i];
        }
    }

    private void findUses() {
        for (int level = root.level; level >= 0; level--) {
            for (Block block = levels[level]; block != null; block = block.link) {
                findOwnUses(block);
                block.usedOut = 0;
            }
        }
        for (int level = 1; level <= root.level; level++) {
            for (Block block = levels[level]; block != null; block = block.link) {
                block.usedOut |= block.onTrue.target().usedIn | block.onFalse.target().usedIn;
                block.usedIn |= block.usedOut & ~block.killed;
            }
        }
    }

    private static void findOwnUses(Block block) {
        int written = 0;
        int read = 0;
        int killed = 0;
        for (Statement statement : block.statements) {
            if (statement.isRemoved()) {
                continue;
            }
            read |= maskRead(statement.code, statement.k) & ~written;
            int register = registerWritten(statement.code, statement.k);
            if (register >= 0) {
                killed |= 1 << register & ~read;
                written |= 1 << register;
            }
        }
        if (BpfOpcode.classOf(block.code) == BpfOpcode.JMP) {
            read |= maskRead(block.code, block.k) & ~written;
        }
        block.usedIn = read;
        block.killed = killed;
    }

    /** The registers that an instruction reads, one bit each. */
    static int maskRead(int code, int k) {
        int register = registerRead(code, k);
        return switch (register) {
            case READS_NONE -> 0;
            case READS_BOTH -> 1 << A_INDEX | 1 << X_INDEX;
            default -> 1 << register;
        };
    }

    private static int registerRead(int code, int k) {
        return switch (BpfOpcode.classOf(code)) {
            case BpfOpcode.RET -> (code & 0x18) == BpfOpcode.A ? A_INDEX : READS_NONE;
            case BpfOpcode.LD, BpfOpcode.LDX ->
                switch (BpfOpcode.modeOf(code)) {
                    case BpfOpcode.IND -> X_INDEX;
                    case BpfOpcode.MEM -> k;
                    default -> READS_NONE;
                };
            case BpfOpcode.ST -> A_INDEX;
            case BpfOpcode.STX -> X_INDEX;
            case BpfOpcode.JMP, BpfOpcode.ALU -> BpfOpcode.isOperandX(code) ? READS_BOTH : A_INDEX;
            default -> code == (BpfOpcode.MISC | BpfOpcode.TXA) ? X_INDEX : A_INDEX;
        };
    }

    /** The register that an instruction writes, or -1. */
    static int registerWritten(int code, int k) {
        return switch (BpfOpcode.classOf(code)) {
            case BpfOpcode.LD, BpfOpcode.ALU -> A_INDEX;
            case BpfOpcode.LDX -> X_INDEX;
            case BpfOpcode.ST, BpfOpcode.STX -> k;
            case BpfOpcode.MISC -> code == (BpfOpcode.MISC | BpfOpcode.TAX) ? X_INDEX : A_INDEX;
            default -> -1;
        };
    }

    /** Collects the edges into each block; the edge found last comes first. */
    void findEdgesInto() {
        for (Block block : blocks) {
            block.edgesInto = null;
        }
        for (int level = root.level; level > 0; level--) {
            for (Block block = levels[level]; block != null; block = block.link) {
                addInto(block.onTrue);
                addInto(block.onFalse);
            }
        }
    }

    private static void addInto(Edge edge) {
        Block target = edge.target();
        edge.nextInto = target.edgesInto;
        target.edgesInto = edge;
    }
}
