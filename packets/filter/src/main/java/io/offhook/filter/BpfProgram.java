package io.offhook.filter;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A program of classic BPF. An instruction is an operation code ({@link BpfOpcode}), the number of instructions to skip
 * if a condition holds ({@code jt}) or does not hold ({@code jf}), and a constant ({@code k}).
 *
 * <pre>
 *    0                   16        24       32
 *   +-------------------+---------+---------+
 *   |       code        |   jt    |   jf    |     struct sock_filter, struct bpf_insn
 *   +-------------------+---------+---------+
 *   |                   k                   |
 *   +---------------------------------------+
 * </pre>
 *
 * Programs are verified on construction: codes are known, jumps stay inside the program, memory words exist and the
 * last instruction returns. Immutable and safe for use by any number of threads.
 */
public final class BpfProgram {
    /** The most instructions of a program. */
    public static final int MAX_LENGTH = 1 << 20;

    /** The most instructions that the Linux kernel accepts (BPF_MAXINSNS). */
    public static final int MAX_KERNEL_LENGTH = 4096;

    /** The size of one instruction in {@link #toSockFilters()}, in bytes. */
    public static final int INSTRUCTION_BYTES = 8;

    private final short[] code;
    private final byte[] jt;
    private final byte[] jf;
    private final int[] k;
    private final boolean hasLoop;

    private BpfProgram(short[] code, byte[] jt, byte[] jf, int[] k, boolean hasLoop) {
        this.code = code;
        this.jt = jt;
        this.jf = jf;
        this.k = k;
        this.hasLoop = hasLoop;
    }

    /**
     * Creates a program from the columns of its instructions, which are copied.
     *
     * @param code operation codes of {@link BpfOpcode}, 0 to 65535
     * @param jt 0 to 255, relative to the following instruction
     * @param jf 0 to 255, relative to the following instruction
     * @param k 32 bits, unsigned; signed for JA, as libpcap's {@code protochain} jumps backwards
     * @throws IllegalArgumentException if this is not a valid program; the message names the instruction and the fault
     */
    public static BpfProgram of(int[] code, int[] jt, int[] jf, int[] k) {
        BpfVerifier.check(code, jt, jf, k);
        int length = code.length;
        short[] codes = new short[length];
        byte[] trueOffsets = new byte[length];
        byte[] falseOffsets = new byte[length];
        boolean hasLoop = false;
        for (int i = 0; i < length; i++) {
            codes[i] = (short) code[i];
            trueOffsets[i] = (byte) jt[i];
            falseOffsets[i] = (byte) jf[i];
            hasLoop |= code[i] == (BpfOpcode.JMP | BpfOpcode.JA) && k[i] < 0;
        }
        return new BpfProgram(codes, trueOffsets, falseOffsets, k.clone(), hasLoop);
    }

    /** The number of instructions, 1 to {@link #MAX_LENGTH}. */
    public int length() {
        return k.length;
    }

    /** The operation code of instruction {@code i}, 0 to 65535, as in {@link BpfOpcode}. */
    public int code(int i) {
        return code[i] & 0xffff;
    }

    /** The number of instructions to skip after {@code i} if its condition holds, 0 to 255. */
    public int jt(int i) {
        return jt[i] & 0xff;
    }

    /** The number of instructions to skip after {@code i} if its condition does not hold, 0 to 255. */
    public int jf(int i) {
        return jf[i] & 0xff;
    }

    /** The constant of instruction {@code i}, 32 bits: unsigned, except for JA. */
    public int k(int i) {
        return k[i];
    }

    /** Whether a jump goes backwards, as {@code protochain} needs. The kernel rejects such programs. */
    public boolean hasLoop() {
        return hasLoop;
    }

    /**
     * Encodes the program for SO_ATTACH_FILTER: an array of {@code struct sock_filter} in native byte order,
     * {@link #INSTRUCTION_BYTES} per instruction.
     *
     * @throws IllegalStateException if the kernel would reject the program; the message says why
     */
    public byte[] toSockFilters() {
        BpfVerifier.checkForKernel(this);
        ByteBuffer bytes = ByteBuffer.allocate(length() * INSTRUCTION_BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < length(); i++) {
            bytes.putShort(code[i]).put(jt[i]).put(jf[i]).putInt(k[i]);
        }
        return bytes.array();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BpfProgram program
                && Arrays.equals(code, program.code)
                && Arrays.equals(jt, program.jt)
                && Arrays.equals(jf, program.jf)
                && Arrays.equals(k, program.k);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(code) + Arrays.hashCode(k);
    }
}
