package io.offhook.filter;

import static io.offhook.filter.Block.A_INDEX;
import static io.offhook.filter.Block.X_INDEX;
import static io.offhook.filter.BpfOpcode.*;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces adjacent statements of a block, and its jump, by shorter equivalents. Expects the values at the end of the
 * block to be known.
 */
final class Peephole {
    private final Block block;
    private final List<Statement> statements;
    private final ValueNumbers numbers;
    private boolean hasChanged;

    Peephole(Block block, ValueNumbers numbers) {
        this.block = block;
        this.statements = block.statements;
        this.numbers = numbers;
    }

    /** @return whether it changed anything */
    boolean run() {
        if (statements.isEmpty()) {
            return false;
        }
        Statement last = statements.get(0);
        int at = next(-1);
        while (at >= 0) {
            int following = next(at);
            if (following < 0) {
                break;
            }
            last = statements.get(following);
            joinNeighbours(statements.get(at), last);
            if (statements.get(at).code == (LD | IMM)) {
                joinIndexedLoad(statements.get(at), following);
            }
            at = next(following - 1);
        }
        if (block.code == (JMP | JEQ | K) && !isUsedLater(A_INDEX)) {
            joinJump(last);
        }
        decideJump();
        return hasChanged;
    }

    /** The index of the first remaining statement after {@code at}; -1 if there is none. */
    private int next(int at) {
        for (int i = at + 1; i < statements.size(); i++) {
            if (!statements.get(i).isRemoved()) {
                return i;
            }
        }
        return -1;
    }

    private @Nullable Statement at(int place) {
        return place < 0 ? null : statements.get(place);
    }

    private boolean isUsedLater(int register) {
        return (block.usedOut >> register & 1) != 0;
    }

    private void joinNeighbours(Statement s, Statement following) {
        if (s.code == ST && following.code == (LDX | MEM) && s.k == following.k) {
            following.code = MISC | TAX;
            hasChanged = true;
        }
        if (s.code == (LD | IMM) && following.code == (MISC | TAX)) {
            s.code = LDX | IMM;
            following.code = MISC | TXA;
            hasChanged = true;
        }
    }

    /**
     * Simplifies the code of {@code tcp[2]}: {@code ld #2, [ldx 4*([14]&0xf),] add x, tax, ld [x + 14]} becomes
     * {@code [ldx 4*([14]&0xf),] ld [x + 16]}.
     */
    private void joinIndexedLoad(Statement constant, int following) {
        if (isUsedLater(X_INDEX)) {
            return;
        }
        int place = statements.get(following).code == (LDX | MSH | B) ? next(following) : following;
        Statement add = at(place);
        if (add == null || add.code != (ALU | ADD | X)) {
            return;
        }
        place = next(place);
        Statement tax = at(place);
        if (tax == null || tax.code != (MISC | TAX)) {
            return;
        }
        Statement load = at(next(place));
        if (load == null || classOf(load.code) != LD || modeOf(load.code) != IND) {
            return;
        }
        load.k += constant.k;
        constant.code = Statement.REMOVED;
        add.code = Statement.REMOVED;
        tax.code = Statement.REMOVED;
        hasChanged = true;
    }

    /** Merges an operation immediately before "A equals k" into the comparison. */
    private void joinJump(Statement last) {
        if (last.code == (ALU | SUB | X)) {
            int x = block.values[X_INDEX];
            if (numbers.isConstant(x)) {
                block.k += numbers.constant(x);
                remove(last);
            } else if (block.k == 0) {
                block.code = JMP | JEQ | X;
                remove(last);
            }
        } else if (last.code == (ALU | SUB | K)) {
            block.k += last.k;
            remove(last);
        } else if (last.code == (ALU | AND | K) && block.k == 0) {
            block.k = last.k;
            block.code = JMP | JSET | K;
            Block swap = block.onTrue.to;
            block.onTrue.to = block.onFalse.to;
            block.onFalse.to = swap;
            remove(last);
        }
    }

    private void remove(Statement statement) {
        statement.code = Statement.REMOVED;
        hasChanged = true;
    }

    /** If the outcome of the jump is known, lets both branches lead there. */
    private void decideJump() {
        if (block.code == (JMP | JSET | K)) {
            if (block.k == 0) {
                block.onTrue.to = block.onFalse.to;
            }
            if (block.k == 0xffff_ffff) {
                block.onFalse.to = block.onTrue.to;
            }
        }
        int x = block.values[X_INDEX];
        if (numbers.isConstant(x) && isConditional(block.code) && isOperandX(block.code)) {
            block.code &= ~X;
            block.k = numbers.constant(x);
        }
        int a = block.values[A_INDEX];
        if (numbers.isConstant(a) && isConditional(block.code) && !isOperandX(block.code)) {
            if (block.onTrue.to != block.onFalse.to) {
                hasChanged = true;
            }
            if (holds(operationOf(block.code), numbers.constant(a), block.k)) {
                block.onFalse.to = block.onTrue.to;
            } else {
                block.onTrue.to = block.onFalse.to;
            }
        }
    }

    private static boolean holds(int operation, int a, int k) {
        return switch (operation) {
            case JEQ -> a == k;
            case JGT -> Integer.compareUnsigned(a, k) > 0;
            case JGE -> Integer.compareUnsigned(a, k) >= 0;
            default -> (a & k) != 0;
        };
    }
}
