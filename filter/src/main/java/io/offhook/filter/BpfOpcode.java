package io.offhook.filter;

/**
 * The instructions of classic BPF (McCanne and Jacobson 1993, bpf(4), {@code linux/bpf_common.h}): the class in the three
 * low bits; for loads size and mode, for arithmetic and jumps the operation and whether the operand is the constant
 * {@code k} or the index register {@code X}.
 *
 * <pre>
 *   bit  15             8 7     5 4   3 2    0
 *       +----------------+-------+-----+------+
 *       |       0        | mode  |size |class |   loads and stores
 *       |       0        | operation |s|class |   arithmetic and jumps, s: 1 the operand is X
 *       +----------------+-----------+-+------+
 * </pre>
 *
 * A program works on the accumulator {@code A}, on {@code X} (both 32 bits, unsigned, 0 at the start) and on {@link
 * #MEMORY_WORDS} words of memory.
 */
public final class BpfOpcode {
    /** Words of memory that a program has, M[0] to M[15]. */
    public static final int MEMORY_WORDS = 16;

    // the classes
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
    /** Class: jumps. */
    public static final int JMP = 0x05;
    /** Class: ends with a result. */
    public static final int RET = 0x06;
    /** Class: moves between A and X. */
    public static final int MISC = 0x07;

    // the sizes of a load
    /** Size of a load: four bytes. */
    public static final int W = 0x00;
    /** Size of a load: two bytes. */
    public static final int H = 0x08;
    /** Size of a load: a byte. */
    public static final int B = 0x10;

    // the modes of a load
    /** Mode of a load: the constant k. */
    public static final int IMM = 0x00;
    /** Mode of a load: the packet at k. */
    public static final int ABS = 0x20;
    /** Mode of a load: the packet at X + k. */
    public static final int IND = 0x40;
    /** Mode of a load: the memory cell k. */
    public static final int MEM = 0x60;
    /** Mode of a load: the packet's length on the wire. */
    public static final int LEN = 0x80;
    /** Mode of a load: four times the lower half of the byte at k, an IPv4 header's length. */
    public static final int MSH = 0xa0;

    // the operations of ALU
    /** Operation of {@link #ALU}, 32 bits, unsigned. */
    public static final int ADD = 0x00;
    /** Operation of {@link #ALU}, 32 bits, unsigned. */
    public static final int SUB = 0x10;
    /** Operation of {@link #ALU}, 32 bits, unsigned. */
    public static final int MUL = 0x20;
    /** Operation of {@link #ALU}, 32 bits, unsigned. */
    public static final int DIV = 0x30;
    /** Operation of {@link #ALU}, 32 bits, unsigned. */
    public static final int OR = 0x40;
    /** Operation of {@link #ALU}, 32 bits, unsigned. */
    public static final int AND = 0x50;
    /** Operation of {@link #ALU}, 32 bits, unsigned. */
    public static final int LSH = 0x60;
    /** Operation of {@link #ALU}, 32 bits, unsigned. */
    public static final int RSH = 0x70;
    /** Operation of {@link #ALU}, 32 bits, unsigned. */
    public static final int NEG = 0x80;
    /** Operation of {@link #ALU}, 32 bits, unsigned. */
    public static final int MOD = 0x90;
    /** Operation of {@link #ALU}, 32 bits, unsigned. */
    public static final int XOR = 0xa0;

    // the operations of JMP
    /** Jump always, by k. */
    public static final int JA = 0x00;
    /** Jump where A is equal. */
    public static final int JEQ = 0x10;
    /** Jump where A is greater, unsigned. */
    public static final int JGT = 0x20;
    /** Jump where A is greater or equal, unsigned. */
    public static final int JGE = 0x30;
    /** Jump where A has one of the bits. */
    public static final int JSET = 0x40;

    // where the operand is
    /** The other operand, or the result, is the constant k. */
    public static final int K = 0x00;
    /** The other operand is X. */
    public static final int X = 0x08;

    /** What RET gives back: the accumulator, in the place of {@link #K}. */
    public static final int A = 0x10;

    // the operations of MISC
    /** A to X. */
    public static final int TAX = 0x00;
    /** X to A. */
    public static final int TXA = 0x80;

    /** X = 4 * (low half of the byte at k): the length of an IPv4 header. */
    public static final int LDX_MSH = LDX | B | MSH;

    private BpfOpcode() {}

    /** LD, LDX, ST, STX, ALU, JMP, RET or MISC. */
    static int classOf(int code) {
        return code & 0x07;
    }

    /** W, H or B. */
    static int sizeOf(int code) {
        return code & 0x18;
    }

    /** IMM, ABS, IND, MEM, LEN or MSH. */
    static int modeOf(int code) {
        return code & 0xe0;
    }

    /** Of ALU and JMP. */
    static int operationOf(int code) {
        return code & 0xf0;
    }

    /** Whether the operand of ALU or JMP is X. */
    static boolean isOperandX(int code) {
        return (code & X) != 0;
    }

    /** Whether it is a load from the packet, at a constant offset or at X and a constant. */
    static boolean isPacketLoad(int code) {
        return isAbsoluteLoad(code) || classOf(code) == LD && modeOf(code) == IND;
    }

    /** Whether it is a load from the packet at the constant offset {@code k}. */
    static boolean isAbsoluteLoad(int code) {
        return code == LDX_MSH || classOf(code) == LD && modeOf(code) == ABS;
    }

    /** Bytes that a load from the packet takes: 4, 2 or 1. */
    static int bytesLoaded(int code) {
        return switch (sizeOf(code)) {
            case W -> Integer.BYTES;
            case H -> Short.BYTES;
            default -> 1;
        };
    }

    /** Whether it reads or writes one of the memory words. */
    static boolean isMemoryAccess(int code) {
        return code == ST || code == STX || code == (LD | MEM) || code == (LDX | MEM);
    }

    /** Whether it divides, which cannot be done by 0. */
    static boolean isDivision(int code) {
        return classOf(code) == ALU && (operationOf(code) == DIV || operationOf(code) == MOD);
    }

    /** Whether it is a jump that depends on the accumulator. */
    static boolean isConditional(int code) {
        return classOf(code) == JMP && operationOf(code) != JA;
    }

    /** Whether an instruction of this code is classic BPF, as libpcap's bpf_filter and the kernel run it. */
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
