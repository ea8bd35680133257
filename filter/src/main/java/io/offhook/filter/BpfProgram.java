package io.offhook.filter;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A program of classic BPF: instructions of an operation code ({@link BpfOpcode}), how many instructions to go over when
 * a condition holds ({@code jt}) and when it does not ({@code jf}), and a constant ({@code k}).
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
 * Verified when it is made: whatever runs it relies on known codes, jumps that stay inside, memory words that there are,
 * and an end that returns. Immutable, so any thread may use it.
 */
public final class BpfProgram {
    /** The most instructions of a program. */
    public static final int MAX_LENGTH = 1 << 20;

    /** The most instructions that the Linux kernel takes (BPF_MAXINSNS). */
    public static final int MAX_KERNEL_LENGTH = 4096;

    /** Of one instruction in {@link #toSockFilters()}. */
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
     * Makes a program of the columns of its instructions, which are copied.
     *
     * @param code 0 to 65535, of those that {@link BpfOpcode} makes
     * @param jt 0 to 255; relative to the instruction that follows
     * @param jf as {@code jt}
     * @param k 32 bits; that of JA is signed, as libpcap's {@code protochain} jumps back
     * @throws IllegalArgumentException where it is no program, with the instruction and what is wrong with it
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

    /** How many instructions it has, 1 or more. */
    public int length() {
        return k.length;
    }

    /** What instruction {@code i} does, as {@link BpfOpcode} puts it together; 0 to 65535. */
    public int code(int i) {
        return code[i] & 0xffff;
    }

    /** Instructions to go over after {@code i} where its condition holds; 0 to 255. */
    public int jt(int i) {
        return jt[i] & 0xff;
    }

    /** Instructions to go over after {@code i} where its condition does not hold; 0 to 255. */
    public int jf(int i) {
        return jf[i] & 0xff;
    }

    /** The constant of instruction {@code i}: 32 bits as they are, unsigned but for JA. */
    public int k(int i) {
        return k[i];
    }

    /** Whether a jump goes back, as those of {@code protochain} do: then no kernel takes it. */
    public boolean hasLoop() {
        return hasLoop;
    }

    /**
     * The program as the kernel takes it with SO_ATTACH_FILTER: an array of {@code struct sock_filter}, in the byte order
     * of this machine, {@link #INSTRUCTION_BYTES} each.
     *
     * @throws IllegalStateException where the kernel would not take it, and why
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
