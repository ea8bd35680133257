package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.ALU;
import static io.offhook.filter.BpfOpcode.JA;
import static io.offhook.filter.BpfOpcode.JMP;
import static io.offhook.filter.BpfOpcode.LSH;
import static io.offhook.filter.BpfOpcode.MEMORY_WORDS;
import static io.offhook.filter.BpfOpcode.RET;
import static io.offhook.filter.BpfOpcode.RSH;

import java.util.Arrays;

/**
 * What a classic-BPF program must be before anything runs it: as libpcap's bpf_validate, which lets JA jump back, and as
 * strict as the kernel about codes and shifts.
 */
final class BpfVerifier {
    private BpfVerifier() {}

    /** @throws IllegalArgumentException that names the instruction, the field, its value and the limit */
    static void check(int[] code, int[] jt, int[] jf, int[] k) {
        int length = code.length;
        if (jt.length != length || jf.length != length || k.length != length) {
            throw new IllegalArgumentException("columns of different length: code " + length + ", jt " + jt.length
                    + ", jf " + jf.length + ", k " + k.length);
        }
        if (length < 1 || length > BpfProgram.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "length " + length + " is not in 1 to " + BpfProgram.MAX_LENGTH + " instructions");
        }
        for (int i = 0; i < length; i++) {
            if (!BpfOpcode.isKnown(code[i])) {
                throw wrong(i, "code 0x" + Integer.toHexString(code[i]) + " is no instruction");
            }
            checkByte(i, "jt", jt[i]);
            checkByte(i, "jf", jf[i]);
            checkConstant(i, code[i], k[i]);
            checkJump(i, code[i], jt[i], jf[i], k[i], length);
        }
        if (BpfOpcode.classOf(code[length - 1]) != RET) {
            throw wrong(length - 1, "is the last and does not return");
        }
    }

    private static void checkByte(int i, String field, int value) {
        if (value < 0 || value > 255) {
            throw wrong(i, field + " " + value + " is not in 0 to 255");
        }
    }

    private static void checkConstant(int i, int code, int k) {
        if (BpfOpcode.isMemoryAccess(code) && (k < 0 || k >= MEMORY_WORDS)) {
            throw wrong(i, "memory word " + Integer.toUnsignedString(k) + " is not in 0 to " + (MEMORY_WORDS - 1));
        }
        if (BpfOpcode.isDivision(code) && !BpfOpcode.isOperandX(code) && k == 0) {
            throw wrong(i, "divides by 0");
        }
        if ((code == (ALU | LSH) || code == (ALU | RSH)) && (k < 0 || k > 31)) {
            throw wrong(i, "shift by " + Integer.toUnsignedString(k) + " is not in 0 to 31");
        }
    }

    private static void checkJump(int i, int code, int jt, int jf, int k, int length) {
        if (code == (JMP | JA)) {
            long target = i + 1L + k;
            if (target < 0 || target >= length) {
                throw wrong(i, "jump to " + target + " is not in 0 to " + (length - 1));
            }
        } else if (BpfOpcode.isConditional(code)) {
            int furthest = i + 1 + Math.max(jt, jf);
            if (furthest >= length) {
                throw wrong(i, "jump to " + furthest + " is not in 0 to " + (length - 1));
            }
        }
    }

    /**
     * What the kernel asks beyond that (net/core/filter.c): no more than 4,096 instructions, no jump back, no memory word
     * read on any way that has not written it, no load that asks it something unknown.
     *
     * @throws IllegalStateException where the kernel would not take the program, and why
     */
    static void checkForKernel(BpfProgram program) {
        if (program.length() > BpfProgram.MAX_KERNEL_LENGTH) {
            throw new IllegalStateException("the program has " + program.length() + " instructions; the kernel takes "
                    + BpfProgram.MAX_KERNEL_LENGTH);
        }
        if (program.hasLoop()) {
            throw new IllegalStateException("the program jumps back, as protochain needs; the kernel takes no loop");
        }
        int[] writtenBefore = new int[program.length() + 1]; // a bit for each word
        Arrays.fill(writtenBefore, -1);
        int written = 0;
        for (int i = 0; i < program.length(); i++) {
            written &= writtenBefore[i];
            int code = program.code(i);
            int k = program.k(i);
            if (code == BpfOpcode.ST || code == BpfOpcode.STX) {
                written |= 1 << k;
            } else if (BpfOpcode.isMemoryAccess(code) && (written >> k & 1) == 0) {
                throw new IllegalStateException("instruction " + i + " reads memory word " + k
                        + ", which not all ways to it have written; the kernel takes no such program");
            } else if (BpfOpcode.isConditional(code)) {
                writtenBefore[i + 1 + program.jt(i)] &= written;
                writtenBefore[i + 1 + program.jf(i)] &= written;
                written = -1;
            } else if (code == (JMP | JA)) {
                writtenBefore[i + 1 + k] &= written;
                written = -1;
            } else if (BpfListing.asksKernelUnknown(code, k)) {
                throw new IllegalStateException("instruction " + i + " loads from " + k
                        + ", where the kernel has no answer; it takes no such program");
            }
        }
    }

    private static IllegalArgumentException wrong(int i, String what) {
        return new IllegalArgumentException("instruction " + i + ": " + what);
    }
}
