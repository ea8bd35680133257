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
 * Verifies a classic BPF program before it runs. It follows libpcap's bpf_validate, which lets JA jump backwards, and
 * is as strict as the kernel about codes and shifts.
 */
final class BpfVerifier {
    private BpfVerifier() {}

    /** @throws IllegalArgumentException naming the instruction, the field, its value and the limit */
    static void check(int[] code, int[] jt, int[] jf, int[] k) {
        int length = code.length;
        if (jt.length != length || jf.length != length || k.length != length) {
            throw new IllegalArgumentException("the columns differ in length: code " + length + ", jt " + jt.length
                    + ", jf " + jf.length + ", k " + k.length);
        }
        if (length < 1 || length > BpfProgram.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "length " + length + " is not in 1 to " + BpfProgram.MAX_LENGTH + " instructions");
        }
        for (int i = 0; i < length; i++) {
            if (!BpfOpcode.isKnown(code[i])) {
                throw wrong(i, "code 0x" + Integer.toHexString(code[i]) + " is not an instruction of classic BPF");
            }
            checkByte(i, "jt", jt[i]);
            checkByte(i, "jf", jf[i]);
            checkConstant(i, code[i], k[i]);
            checkJump(i, code[i], jt[i], jf[i], k[i], length);
        }
        if (BpfOpcode.classOf(code[length - 1]) != RET) {
            throw wrong(length - 1, "is the last and must return");
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
                throw wrong(i, "jumps to instruction " + target + ", which is not in 0 to " + (length - 1));
            }
        } else if (BpfOpcode.isConditional(code)) {
            int furthest = i + 1 + Math.max(jt, jf);
            if (furthest >= length) {
                throw wrong(i, "jumps to instruction " + furthest + ", which is not in 0 to " + (length - 1));
            }
        }
    }

    /**
     * Checks the kernel's further requirements (net/core/filter.c): at most 4,096 instructions, no backward jump, no
     * read of a memory word that some path has not written, and no unknown ancillary load.
     *
     * @throws IllegalStateException if the kernel would reject the program; the message says why
     */
    static void checkForKernel(BpfProgram program) {
        if (program.length() > BpfProgram.MAX_KERNEL_LENGTH) {
            throw new IllegalStateException("the program has " + program.length() + " instructions; the kernel accepts "
                    + BpfProgram.MAX_KERNEL_LENGTH);
        }
        if (program.hasLoop()) {
            throw new IllegalStateException(
                    "the program jumps backwards, as protochain needs; the kernel accepts no loop");
        }
        int[] writtenBefore = new int[program.length() + 1]; // one bit per word
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
                        + ", which some path to it has not written; the kernel rejects such programs");
            } else if (BpfOpcode.isConditional(code)) {
                writtenBefore[i + 1 + program.jt(i)] &= written;
                writtenBefore[i + 1 + program.jf(i)] &= written;
                written = -1;
            } else if (code == (JMP | JA)) {
                writtenBefore[i + 1 + k] &= written;
                written = -1;
            } else if (BpfListing.asksKernelUnknown(code, k)) {
                throw new IllegalStateException("instruction " + i + " loads from " + k
                        + ", where the kernel has no field; it rejects such programs");
            }
        }
    }

    private static IllegalArgumentException wrong(int i, String what) {
        return new IllegalArgumentException("instruction " + i + ": " + what);
    }
}
