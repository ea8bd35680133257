package io.offhook.filter;

import java.util.Arrays;

/**
 * What is known of the captured length at each instruction of a program, so that the compiler can omit bounds checks.
 *
 * <p>A load beyond the captured bytes ends a program with 0, and a program has no other effect that could be observed.
 * Therefore, where every path from an instruction to a non-zero result needs at least n bytes, a single check for n
 * bytes may end the program early with 0: the result is the same. Loads within those n bytes need no further check.
 */
final class BpfBounds {
    /** More than any packet has: the result is 0 from here on. */
    static final int NEVER = Integer.MAX_VALUE;

    private final BpfProgram program;
    /** For each instruction, the bytes that must be captured for the result to be other than 0. */
    private final int[] needed;
    /** For each instruction, the bytes known to be captured when it is reached; -1 if it is never reached. */
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
                known[i + 1 + program.k(i)] = 0; // on any path
            }
        }
        for (int i = 0; i < known.length; i++) {
            if (known[i] >= 0 && !isHopeless(i)) {
                propagate(i);
            }
        }
    }

    /** Whether any path leads to the instruction. */
    boolean isReached(int i) {
        return known[i] >= 0;
    }

    /** Whether the result is 0 once the instruction is reached. */
    boolean isHopeless(int i) {
        return needed[i] == NEVER;
    }

    /** The number of captured bytes to check for before a load at a constant offset; 0 if no check is needed. */
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

    /**
     * The fewest bytes that a load from the packet needs: X is unsigned, so adding it cannot lower the bound. 0 for
     * other instructions.
     */
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
