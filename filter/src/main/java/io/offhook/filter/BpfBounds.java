package io.offhook.filter;

import java.util.Arrays;

/**
 * What is known of the captured length at each instruction of a program, so that its compiler need not ask at each load.
 *
 * <p>A load beyond the captured bytes ends a program with 0, and nothing that a program does before it can be seen. So
 * where every way from an instruction to a result other than 0 needs so many bytes, one may ask for all of them at once
 * and end with 0 early: the result is the same. Having asked, all loads within them need no further question.
 */
final class BpfBounds {
    /** More than any packet has: from here on, the result is 0. */
    static final int NEVER = Integer.MAX_VALUE;

    private final BpfProgram program;
    /** Bytes that must be captured if the result is to be other than 0, from this instruction on. */
    private final int[] needed;
    /** Bytes that are known to be captured when this instruction is reached; -1 where it is not reached. */
    private final int[] known;

    BpfBounds(BpfProgram program) {
        this.program = program;
        needed = new int[program.length()];
        known = new int[program.length()];
        for (int i = program.length() - 1; i >= 0; i--) {
            needed[i] = neededFrom(i);
        }
        Arrays.fill(known, -1);
        known[0] = 0;
        for (int i = 0; i < known.length && program.hasLoop(); i++) {
            if (isJumpBack(i)) {
                known[i + 1 + program.k(i)] = 0; // whatever comes this way
            }
        }
        for (int i = 0; i < known.length; i++) {
            if (known[i] >= 0 && !isHopeless(i)) {
                propagate(i);
            }
        }
    }

    /** Whether any way leads to the instruction. */
    boolean isReached(int i) {
        return known[i] >= 0;
    }

    /** Whether the result is 0 once the instruction is reached. */
    boolean isHopeless(int i) {
        return needed[i] == NEVER;
    }

    /** Of a load at a constant offset: how many captured bytes to ask for before it; 0 where nothing is to be asked. */
    int toCheck(int i) {
        return endOfLoad(i) > known[i] ? needed[i] : 0;
    }

    private boolean isJumpBack(int i) {
        return program.code(i) == (BpfOpcode.JMP | BpfOpcode.JA) && program.k(i) < 0;
    }

    private int neededFrom(int i) {
        int code = program.code(i);
        if (BpfOpcode.isConditional(code)) {
            return Math.min(needed[i + 1 + program.jt(i)], needed[i + 1 + program.jf(i)]);
        }
        return switch (BpfOpcode.classOf(code)) {
            case BpfOpcode.RET -> code == (BpfOpcode.RET | BpfOpcode.K) && program.k(i) == 0 ? NEVER : 0;
            case BpfOpcode.JMP -> isJumpBack(i) ? 0 : needed[i + 1 + program.k(i)];
            case BpfOpcode.LD, BpfOpcode.LDX -> Math.max(endOfLoad(i), needed[i + 1]);
            default -> needed[i + 1];
        };
    }

    /** Bytes that a load from the packet needs at least: X, where it is added, is 0 or more. 0 for other instructions. */
    private int endOfLoad(int i) {
        int code = program.code(i);
        if (!BpfOpcode.isPacketLoad(code)) {
            return 0;
        }
        long end = Integer.toUnsignedLong(program.k(i)) + BpfOpcode.bytesLoaded(code);
        return (int) Math.min(end, NEVER);
    }

    private void propagate(int i) {
        int code = program.code(i);
        if (BpfOpcode.isConditional(code)) {
            reach(i + 1 + program.jt(i), known[i]);
            reach(i + 1 + program.jf(i), known[i]);
        } else if (code == (BpfOpcode.JMP | BpfOpcode.JA)) {
            reach(i + 1 + program.k(i), known[i]);
        } else if (BpfOpcode.isAbsoluteLoad(code)) {
            reach(i + 1, Math.max(known[i], toCheck(i)));
        } else if (BpfOpcode.classOf(code) != BpfOpcode.RET) {
            reach(i + 1, Math.max(known[i], endOfLoad(i)));
        }
    }

    private void reach(int i, int bytes) {
        known[i] = known[i] < 0 ? bytes : Math.min(known[i], bytes);
    }
}
