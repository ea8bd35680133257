package io.offhook.filter;

import static io.offhook.filter.Block.A_INDEX;
import static io.offhook.filter.Block.X_INDEX;
import static io.offhook.filter.BpfOpcode.*;

import java.util.List;

/**
 * Computes the value of each register after each statement of a block and, if it may alter the block, simplifies or
 * removes statements: operations on constants, loads of values already present, and dead stores.
 *
 * <p>The rules, and therefore the programs, are those of libpcap 1.10. A load whose result is unused is removed,
 * although it would have rejected a packet too short for it; the optimiser thus affects which packets match.
 */
final class StatementOptimizer {
    private final ValueNumbers numbers;
    private boolean hasChanged;

    StatementOptimizer(ValueNumbers numbers) {
        this.numbers = numbers;
    }

    /** Whether anything changed since the last call. */
    boolean takeChanged() {
        boolean changed = hasChanged;
        hasChanged = false;
        return changed;
    }

    /** Computes the values at the end of a block from those at its start, which are in {@link Block#values}. */
    void optimize(Block block, boolean mayAlter) {
        int a = block.values[A_INDEX];
        int x = block.values[X_INDEX];
        for (Statement statement : block.statements) {
            apply(statement, block.values, mayAlter);
        }
        boolean isIdle =
                block.usedOut == 0 && a != 0 && block.values[A_INDEX] == a && x != 0 && block.values[X_INDEX] == x;
        if (mayAlter && (isIdle || classOf(block.code) == RET)) {
            if (!block.statements.isEmpty()) {
                block.statements.clear();
                hasChanged = true;
            }
        } else {
            hasChanged |= new Peephole(block, numbers).run();
            removeDeadStores(block);
        }
    }

    private void apply(Statement s, int[] values, boolean mayAlter) {
        if (s.isRemoved()) {
            return;
        }
        switch (classOf(s.code)) {
            case LD -> applyLoad(s, values, mayAlter);
            case LDX -> applyIndexLoad(s, values, mayAlter);
            case ST -> set(s, values, s.k, values[A_INDEX], mayAlter);
            case STX -> set(s, values, s.k, values[X_INDEX], mayAlter);
            case ALU -> applyArithmetic(s, values, mayAlter);
            case MISC -> {
                if (s.code == (MISC | TXA)) {
                    set(s, values, A_INDEX, values[X_INDEX], mayAlter);
                } else {
                    set(s, values, X_INDEX, values[A_INDEX], mayAlter);
                }
            }
            default -> {
                // a jump inside a block writes nothing; a program with such jumps is not optimised
            }
        }
    }

    private static void set(Statement s, int[] values, int register, int value, boolean mayAlter) {
        if (mayAlter && value != 0 && values[register] == value) {
            s.code = Statement.REMOVED;
        } else {
            values[register] = value;
        }
    }

    private void applyLoad(Statement s, int[] values, boolean mayAlter) {
        int value;
        switch (modeOf(s.code)) {
            case ABS -> value = numbers.of(s.code, s.k, 0);
            case IND -> {
                int x = values[X_INDEX];
                if (mayAlter && numbers.isConstant(x)) {
                    s.code = LD | ABS | sizeOf(s.code);
                    s.k += numbers.constant(x);
                    hasChanged = true;
                    x = 0;
                }
                value = numbers.of(s.code, s.k, x);
            }
            case MEM -> {
                value = values[s.k];
                if (mayAlter && numbers.isConstant(value)) {
                    s.code = LD | IMM;
                    s.k = numbers.constant(value);
                    hasChanged = true;
                }
            }
            case LEN -> value = numbers.of(s.code, 0, 0);
            default -> value = numbers.ofConstant(s.k);
        }
        set(s, values, A_INDEX, value, mayAlter);
    }

    private void applyIndexLoad(Statement s, int[] values, boolean mayAlter) {
        int value;
        switch (modeOf(s.code)) {
            case MSH -> value = numbers.of(s.code, s.k, 0);
            case MEM -> {
                value = values[s.k];
                if (mayAlter && numbers.isConstant(value)) {
                    s.code = LDX | IMM;
                    s.k = numbers.constant(value);
                    hasChanged = true;
                }
            }
            default -> value = numbers.ofConstant(s.k);
        }
        set(s, values, X_INDEX, value, mayAlter);
    }

    private void applyArithmetic(Statement s, int[] values, boolean mayAlter) {
        int a = values[A_INDEX];
        if (s.code == (ALU | NEG)) {
            if (mayAlter && numbers.isConstant(a)) {
                s.code = LD | IMM;
                s.k = -numbers.constant(a);
                values[A_INDEX] = numbers.ofConstant(s.k);
            } else {
                values[A_INDEX] = numbers.of(s.code, a, 0);
            }
        } else if (isOperandX(s.code)) {
            applyWithX(s, values, mayAlter);
        } else {
            applyWithConstant(s, values, mayAlter);
        }
    }

    private void applyWithConstant(Statement s, int[] values, boolean mayAlter) {
        int a = values[A_INDEX];
        if (mayAlter && s.k == 0) {
            switch (operationOf(s.code)) {
                case ADD, LSH, RSH, OR, XOR -> { // not SUB: a comparison may still absorb it
                    s.code = Statement.REMOVED;
                    return;
                }
                case MUL, AND -> {
                    s.code = LD | IMM;
                    values[A_INDEX] = numbers.ofConstant(0);
                    return;
                }
                case DIV -> throw new ArithmeticException("division by zero");
                case MOD -> throw new ArithmeticException("modulus by zero");
                default -> {
                    // handled below
                }
            }
        }
        if (mayAlter && numbers.isConstant(a)) {
            toConstant(s, fold(operationOf(s.code), numbers.constant(a), s.k));
            values[A_INDEX] = numbers.ofConstant(s.k);
        } else {
            values[A_INDEX] = numbers.of(s.code, a, numbers.ofConstant(s.k));
        }
    }

    private void applyWithX(Statement s, int[] values, boolean mayAlter) {
        int a = values[A_INDEX];
        int x = values[X_INDEX];
        int operation = operationOf(s.code);
        if (mayAlter && numbers.isConstant(x)) {
            int k = numbers.constant(x);
            if (numbers.isConstant(a)) {
                toConstant(s, fold(operation, numbers.constant(a), k));
                values[A_INDEX] = numbers.ofConstant(s.k);
            } else {
                s.code = ALU | operation;
                s.k = k;
                hasChanged = true;
                if ((operation == LSH || operation == RSH) && (k < 0 || k > 31)) {
                    throw new ArithmeticException("shift by more than 31 bits");
                }
                values[A_INDEX] = numbers.of(s.code, a, numbers.ofConstant(k));
            }
            return;
        }
        if (mayAlter && numbers.isConstant(a) && numbers.constant(a) == 0) {
            if (operation == ADD || operation == OR || operation == XOR) {
                s.code = MISC | TXA;
                set(s, values, A_INDEX, x, true);
                return;
            }
            if (operation != SUB) {
                s.code = LD | IMM;
                s.k = 0;
                set(s, values, A_INDEX, numbers.ofConstant(0), true);
                return;
            }
        }
        values[A_INDEX] = numbers.of(s.code, a, x);
    }

    private void toConstant(Statement s, int k) {
        s.code = LD | IMM;
        s.k = k;
        hasChanged = true;
    }

    private static int fold(int operation, int a, int b) {
        return switch (operation) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case DIV -> {
                if (b == 0) {
                    throw new ArithmeticException("division by zero");
                }
                yield Integer.divideUnsigned(a, b);
            }
            case MOD -> {
                if (b == 0) {
                    throw new ArithmeticException("modulus by zero");
                }
                yield Integer.remainderUnsigned(a, b);
            }
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
            case LSH -> b >= 0 && b < 32 ? a << b : 0;
            case RSH -> b >= 0 && b < 32 ? a >>> b : 0;
            default -> throw new IllegalArgumentException("operation 0x" + Integer.toHexString(operation));
        };
    }

    /**
     * Removes stores whose value is overwritten before it is read or, at the end of the block, not read by a later
     * block.
     */
    private void removeDeadStores(Block block) {
        Statement[] unread = new Statement[Block.REGISTERS];
        List<Statement> statements = block.statements;
        for (Statement s : statements) {
            if (s.isRemoved()) {
                continue;
            }
            forget(unread, FlowGraph.maskRead(s.code, s.k));
            int register = FlowGraph.registerWritten(s.code, s.k);
            if (register >= 0) {
                if (unread[register] != null) {
                    unread[register].code = Statement.REMOVED;
                    hasChanged = true;
                }
                unread[register] = s;
            }
        }
        forget(unread, FlowGraph.maskRead(block.code, block.k));
        for (int register = 0; register < unread.length; register++) {
            if (unread[register] != null && (block.usedOut >> register & 1) == 0) {
                unread[register].code = Statement.REMOVED;
                hasChanged = true;
            }
        }
    }

    private static void forget(Statement[] unread, int mask) {
        for (int register = 0; register < unread.length; register++) {
            if ((mask >> register & 1) != 0) {
                unread[register] = null;
            }
        }
    }
}
