package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.JA;
import static io.offhook.filter.BpfOpcode.JMP;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Places the blocks and emits a {@link BpfProgram}. A jump over more than 255 instructions goes through a JA behind the
 * block.
 */
final class Emitter {
    private static final int MAX_JUMP = 255;

    private final List<Block> blocks;
    private final int[] code;
    private final int[] jt;
    private final int[] jf;
    private final int[] k;

    private Emitter(List<Block> blocks, int length) {
        this.blocks = blocks;
        code = new int[length];
        jt = new int[length];
        jf = new int[length];
        k = new int[length];
    }

    /** @throws FilterException if the program would be longer than {@link BpfProgram#MAX_LENGTH} */
    static BpfProgram emit(Block root, String expression) {
        List<Block> order = order(root);
        int length = place(order);
        if (length > BpfProgram.MAX_LENGTH) {
            String reason = "expression compiles to " + length + " instructions; the limit is " + BpfProgram.MAX_LENGTH;
            throw new FilterException(reason, expression, -1);
        }
        Emitter emitter = new Emitter(order, length);
        for (Block block : emitter.blocks) {
            emitter.write(block);
        }
        return BpfProgram.of(emitter.code, emitter.jt, emitter.jf, emitter.k);
    }

    /** Orders each block before its successors: reverse postorder, visiting the false branch first. */
    private static List<Block> order(Block root) {
        List<Block> done = new ArrayList<>();
        Set<Block> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Block> finished = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Block> open = new ArrayDeque<>();
        open.push(root);
        while (!open.isEmpty()) {
            Block block = open.peek();
            if (seen.add(block) && !block.isReturn()) {
                pushUnseen(open, seen, block.onTrue.target());
                pushUnseen(open, seen, block.onFalse.target());
            } else {
                open.pop();
                if (finished.add(block)) {
                    done.add(block);
                }
            }
        }
        Collections.reverse(done);
        return done;
    }

    private static void pushUnseen(ArrayDeque<Block> open, Set<Block> seen, Block block) {
        if (!seen.contains(block)) {
            open.push(block);
        }
    }

    /**
     * Assigns each block its position. Jumps go forward, so placing the blocks from last to first yields all distances,
     * and with them the jumps that need a JA.
     *
     * @return the number of instructions
     */
    private static int place(List<Block> order) {
        int length = 0;
        for (Block block : order.reversed()) {
            int behind = length; // for now, positions are distances to the end of the program
            if (!block.isReturn()) {
                while (markFarJump(block, behind)) {
                    // an added JA may push another jump beyond 255
                }
            }
            length += block.countStatements() + 1 + (block.isFarTrue ? 1 : 0) + (block.isFarFalse ? 1 : 0);
            block.place = length;
        }
        for (Block block : order) {
            block.place = length - block.place;
        }
        return length;
    }

    private static boolean markFarJump(Block block, int behind) {
        int added = (block.isFarTrue ? 1 : 0) + (block.isFarFalse ? 1 : 0);
        if (!block.isFarTrue && behind + added - block.onTrue.target().place > MAX_JUMP) {
            block.isFarTrue = true;
            return true;
        }
        if (!block.isFarFalse && behind + added - block.onFalse.target().place > MAX_JUMP) {
            block.isFarFalse = true;
            return true;
        }
        return false;
    }

    private void write(Block block) {
        int place = block.place;
        IdentityHashMap<Statement, Integer> places = new IdentityHashMap<>();
        for (Statement s : block.statements) {
            if (!s.isRemoved()) {
                places.put(s, place);
                code[place] = s.code;
                k[place++] = s.k;
            }
        }
        places.forEach((s, at) -> {
            if (BpfOpcode.isConditional(s.code)) {
                jt[at] = distance(at, places.get(s.whenTrue));
                jf[at] = distance(at, places.get(s.whenFalse));
            }
        });
        code[place] = block.code;
        k[place] = block.k;
        if (!block.isReturn()) {
            emitJump(block, place);
        }
    }

    private static int distance(int from, @Nullable Integer to) {
        if (to == null) {
            throw new IllegalStateException("internal error: a jump between statements leaves its block");
        }
        return to - from - 1;
    }

    private void emitJump(Block block, int place) {
        int far = place;
        if (block.isFarTrue) {
            jt[place] = 0;
            far = emitFar(far, block.onTrue.target());
        } else {
            jt[place] = block.onTrue.target().place - place - 1;
        }
        if (block.isFarFalse) {
            jf[place] = far - place;
            emitFar(far, block.onFalse.target());
        } else {
            jf[place] = block.onFalse.target().place - place - 1;
        }
    }

    private int emitFar(int after, Block target) {
        code[after + 1] = JMP | JA;
        k[after + 1] = target.place - after - 2;
        return after + 1;
    }
}
