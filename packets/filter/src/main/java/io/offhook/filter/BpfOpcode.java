package io.offhook.filter;

/**
 * The operation codes of classic BPF (McCanne and Jacobson 1993, bpf(4), {@code linux/bpf_common.h}). The three low
 * bits are the class. Loads also encode size and mode; arithmetic and jumps encode the operation and whether the
 * operand is the constant {@code k} or the index register {@code X}.
 *
 * <pre>
 *   bit  15             8 7     5 4   3 2    0
 *       +----------------+-------+-----+------+
 *       |       0        | mode  |size |class |   loads and stores
 *       |       0        | operation |s|class |   arithmetic and jumps, s = 1: the operand is X
 *       +----------------+-----------+-+------+
 * </pre>
 *
 * A program works on the accumulator {@code A} and on {@code X} (both 32 bits, unsigned, 0 at the start) and on
 * {@link #MEMORY_WORDS} memory words of 32 bits.
 */
public final class BpfOpcode {
    /** The number of memory words of a program, M[0] to M[15]. */
    public static final int MEMORY_WORDS = 16;

    // classes
    /** Class: loads into A. */
    public static final int LD = 0x00;
    /** Class: loads into X. */
    public static final int LDX = 0x01;
    /** Class: stores A in memory. */
    public static final int ST = 0x02;
    /** Class: stores X in memory. */
    public static final int STX = 0x03;
    /** Class: computes with A. */
    public static final int ALU = 0x04;
    /** Class: jumps, conditional or not. */
    public static final int JMP = 0x05;
    /** Class: returns a result. */
    public static final int RET = 0x06;
    /** Class: copies A to X or X to A. */
    public static final int MISC = 0x07;

    // sizes of a load
    /** Size of a load: four bytes. */
    public static final int W = 0x00;
    /** Size of a load: two bytes. */
    public static final int H = 0x08;
    /** Size of a load: one byte. */
    public static final int B = 0x10;

    // modes of a load
    /** Mode of a load: the constant k. */
    public static final int IMM = 0x00;
    /** Mode of a load: the packet at offset k. */
    public static final int ABS = 0x20;
    /** Mode of a load: the packet at offset X + k. */
    public static final int IND = 0x40;
    /** Mode of a load: memory word k. */
    public static final int MEM = 0x60;
    /** Mode of a load: the wire length of the packet. */
    public static final int LEN = 0x80;
    /** Mode of a load: four times the low nibble of the byte at k, which is the length of an IPv4 header. */
    public static final int MSH = 0xa0;

    // operations of ALU
    /** ALU operation: A + operand, modulo 2^32. */
    public static final int ADD = 0x00;
    /** ALU operation: A - operand, modulo 2^32. */
    public static final int SUB = 0x10;
    /** ALU operation: A * operand, modulo 2^32. */
    public static final int MUL = 0x20;
    /** ALU operation: A / operand, unsigned; division by 0 ends the program with 0. */
    public static final int DIV = 0x30;
    /** ALU operation: A | operand. */
    public static final int OR = 0x40;
    /** ALU operation: A &amp; operand. */
    public static final int AND = 0x50;
    /** ALU operation: A shifted left by the operand; 32 or more yields 0. */
    public static final int LSH = 0x60;
    /** ALU operation: A shifted right by the operand, unsigned; 32 or more yields 0. */
    public static final int RSH = 0x70;
    /** ALU operation: -A, modulo 2^32; takes no operand. */
    public static final int NEG = 0x80;
    /** ALU operation: A modulo the operand, unsigned; division by 0 ends the program with 0. */
    public static final int MOD = 0x90;
    /** ALU operation: A ^ operand. */
    public static final int XOR = 0xa0;

    // operations of JMP
    /** Jumps unconditionally, over k instructions. */
    public static final int JA = 0x00;
    /** Jumps if A equals the operand. */
    public static final int JEQ = 0x10;
    /** Jumps if A is greater than the operand, unsigned. */
    public static final int JGT = 0x20;
    /** Jumps if A is greater than or equal to the operand, unsigned. */
    public static final int JGE = 0x30;
    /** Jumps if A and the operand have a bit in common. */
    public static final int JSET = 0x40;

    // source of the operand
    /** The operand, or the result of RET, is the constant k. */
    public static final int K = 0x00;
    /** The operand is X. */
    public static final int X = 0x08;

    /** The result of RET is the accumulator instead of {@link #K}. */
    public static final int A = 0x10;

    // operations of MISC
    /** Copies A to X. */
    public static final int TAX = 0x00;
    /** Copies X to A. */
    public static final int TXA = 0x80;

    /** X = 4 * (low nibble of the byte at k): the length of an IPv4 header, in bytes. */
    public static final int LDX_MSH = LDX | B | MSH;

    private BpfOpcode() {}

    /** The class of a code: LD, LDX, ST, STX, ALU, JMP, RET or MISC. */
    static int classOf(int code) {
        return code & 0x07;
    }

    /** The size of a load: W, H or B. */
    static int sizeOf(int code) {
        return code & 0x18;
    }

    /** The mode of a load: IMM, ABS, IND, MEM, LEN or MSH. */
    static int modeOf(int code) {
        return code & 0xe0;
    }

    /** The operation of ALU and JMP. */
    static int operationOf(int code) {
        return code & 0xf0;
    }

    /** Whether the operand of ALU or JMP is X. */
    static boolean isOperandX(int code) {
        return (code & X) != 0;
    }

    /** Whether the instruction loads from the packet, at {@code k} or at {@code X + k}. */
    static boolean isPacketLoad(int code) {
        return isAbsoluteLoad(code) || classOf(code) == LD && modeOf(code) == IND;
    }

    /** Whether the instruction loads from the packet at the constant offset {@code k}. */
    static boolean isAbsoluteLoad(int code) {
        return code == LDX_MSH || classOf(code) == LD && modeOf(code) == ABS;
    }

    /** Bytes that a load from the packet reads: 4, 2 or 1. */
    static int bytesLoaded(int code) {
        return switch (sizeOf(code)) {
            case W -> Integer.BYTES;
            case H -> Short.BYTES;
            default -> 1;
        };
    }

    /** Whether the instruction reads or writes a memory word. */
    static boolean isMemoryAccess(int code) {
        return code == ST || code == STX || code == (LD | MEM) || code == (LDX | MEM);
    }

    /** Whether the instruction divides: the divisor must not be 0. */
    static boolean isDivision(int code) {
        return classOf(code) == ALU && (operationOf(code) == DIV || operationOf(code) == MOD);
    }

    /** Whether the instruction is a conditional jump. */
    static boolean isConditional(int code) {
        return classOf(code) == JMP && operationOf(code) != JA;
    }

    /** Whether the code is an instruction of classic BPF, as libpcap's bpf_filter and the kernel run it. */
    static boolean isKnown(int code) {
        return switch (classOf(code)) {
            case LD -> isKnownLoad(code);
            case LDX -> code == LDX || code == (LDX | MEM) || code == (LDX | LEN) || code == LDX_MSH;
            case ST -> code == ST;
            case STX -> code == STX;
            case ALU -> (code & ~0xff) == 0 && operationOf(code) <= XOR && code != (ALU | NEG | X);
            case JMP -> (code & ~0xff) == 0 && operationOf(code) <= JSET && code != (JMP | JA | X);
            case RET -> code == (RET | K) || code == (RET | A);
            default -> code == (MISC | TAX) || code == (MISC | TXA);
        };
    }

    private static boolean isKnownLoad(int code) {
        if ((code & ~0xff) != 0) {
            return false;
        }
        return switch (modeOf(code)) {
            case ABS, IND -> sizeOf(code) <= B;
            case IMM, MEM, LEN -> sizeOf(code) == W;
            default -> false;
        };
    }
}
