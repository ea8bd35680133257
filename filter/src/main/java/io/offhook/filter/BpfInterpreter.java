package io.offhook.filter;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Runs a classic-BPF program instruction by instruction, as libpcap's bpf_filter does over a packet of a file: this says
 * what is right, and {@link BpfCompiler} is held against it.
 *
 * <ul>
 *   <li>{@code A} and {@code X} are unsigned, of 32 bits; they and the memory words are 0 at the start.
 *   <li>A load that does not lie in the captured bytes as a whole ends the program with 0: not wanted. {@code X + k} does
 *       not wrap. So do those of Linux that ask the kernel (from SKF_AD_OFF on): a captured packet has no kernel to ask.
 *   <li>Dividing by an {@code X} of 0 ends it with 0. A shift by an {@code X} of 32 or more gives 0.
 *   <li>{@link #MAX_ROUNDS} jumps back end it with 0: no filter runs for ever.
 * </ul>
 *
 * One thread at a time: the memory words are the interpreter's own. Allocates nothing once it is made.
 */
public final class BpfInterpreter implements PacketFilter {
    /** Jumps back that a run may make; more than headers that fit into a packet of 262,144 bytes. */
    public static final int MAX_ROUNDS = 1 << 16;

    private static final int NO_MEMORY = 0;

    private final int[] codes;
    /** Instructions to go over where the condition holds, and where it does not. */
    private final int[] jt;

    private final int[] jf;
    private final int[] constants;
    /** Empty where the program has no use for it. */
    private final int[] memory;

    /** Runs that program. */
    public BpfInterpreter(BpfProgram program) {
        int length = program.length();
        codes = new int[length];
        jt = new int[length];
        jf = new int[length];
        constants = new int[length];
        boolean usesMemory = false;
        for (int i = 0; i < length; i++) {
            codes[i] = program.code(i);
            jt[i] = program.jt(i);
            jf[i] = program.jf(i);
            constants[i] = program.k(i);
            usesMemory |= BpfOpcode.isMemoryAccess(codes[i]);
        }
        memory = new int[usesMemory ? BpfOpcode.MEMORY_WORDS : NO_MEMORY];
    }

    @Override
    public int match(MemorySegment segment, long offset, int capturedLength, int wireLength) {
        Arrays.fill(memory, 0);
        int a = 0;
        int x = 0;
        int rounds = 0;
        for (int pc = 0; ; pc++) {
            int code = codes[pc];
            int k = constants[pc];
            switch (BpfOpcode.classOf(code)) {
                case BpfOpcode.LD, BpfOpcode.LDX -> {
                    long value = BpfOpcode.isPacketLoad(code)
                            ? load(code, Integer.toUnsignedLong(k), x, segment, offset, capturedLength)
                            : Integer.toUnsignedLong(value(code, k, wireLength));
                    if (value < 0) {
                        return 0;
                    }
                    if (BpfOpcode.classOf(code) == BpfOpcode.LD) {
                        a = (int) value;
                    } else {
                        x = (int) value;
                    }
                }
                case BpfOpcode.ST -> memory[k] = a;
                case BpfOpcode.STX -> memory[k] = x;
                case BpfOpcode.ALU -> {
                    int operand = BpfOpcode.isOperandX(code) ? x : k;
                    if (operand == 0 && BpfOpcode.isDivision(code)) {
                        return 0;
                    }
                    a = arithmetic(BpfOpcode.operationOf(code), a, operand);
                }
                case BpfOpcode.JMP -> {
                    if (BpfOpcode.isConditional(code)) {
                        int operand = BpfOpcode.isOperandX(code) ? x : k;
                        pc += holds(BpfOpcode.operationOf(code), a, operand) ? jt[pc] : jf[pc];
                    } else if (k < 0 && ++rounds > MAX_ROUNDS) {
                        return 0;
                    } else {
                        pc += k;
                    }
                }
                case BpfOpcode.RET -> {
                    return code == (BpfOpcode.RET | BpfOpcode.A) ? a : k;
                }
                default -> {
                    if (code == (BpfOpcode.MISC | BpfOpcode.TAX)) {
                        x = a;
                    } else {
                        a = x;
                    }
                }
            }
        }
    }

    /** What the packet has at k, or at X + k; -1 where that is not within the captured bytes. */
    private static long load(int code, long k, int x, MemorySegment segment, long offset, int capturedLength) {
        long at = BpfOpcode.isAbsoluteLoad(code) ? k : Integer.toUnsignedLong(x) + k;
        if (at + BpfOpcode.bytesLoaded(code) > capturedLength) {
            return -1;
        }
        long address = offset + at;
        return switch (BpfOpcode.sizeOf(code)) {
            case BpfOpcode.W -> NetworkOrder.u32(segment, address);
            case BpfOpcode.H -> NetworkOrder.u16(segment, address);
            default -> {
                int value = NetworkOrder.u8(segment, address);
                yield code == BpfOpcode.LDX_MSH ? (value & 0xf) << 2 : value;
            }
        };
    }

    /** Of a load that is not from the packet. */
    private int value(int code, int k, int wireLength) {
        return switch (BpfOpcode.modeOf(code)) {
            case BpfOpcode.IMM -> k;
            case BpfOpcode.LEN -> wireLength;
            default -> memory[k];
        };
    }

    private static int arithmetic(int operation, int a, int operand) {
        return switch (operation) {
            case BpfOpcode.ADD -> a + operand;
            case BpfOpcode.SUB -> a - operand;
            case BpfOpcode.MUL -> a * operand;
            case BpfOpcode.DIV -> Integer.divideUnsigned(a, operand);
            case BpfOpcode.MOD -> Integer.remainderUnsigned(a, operand);
            case BpfOpcode.OR -> a | operand;
            case BpfOpcode.AND -> a & operand;
            case BpfOpcode.XOR -> a ^ operand;
            case BpfOpcode.LSH -> shiftLeft(a, operand);
            case BpfOpcode.RSH -> shiftRight(a, operand);
            default -> -a; // NEG: the only one left, by the verifier
        };
    }

    /** As C shifts 32 bits by less than 32; beyond, all bits have gone. */
    static int shiftLeft(int a, int bits) {
        return (bits & ~31) == 0 ? a << bits : 0;
    }

    static int shiftRight(int a, int bits) {
        return (bits & ~31) == 0 ? a >>> bits : 0;
    }

    private static boolean holds(int operation, int a, int operand) {
        return switch (operation) {
            case BpfOpcode.JEQ -> a == operand;
            case BpfOpcode.JGT -> Integer.compareUnsigned(a, operand) > 0;
            case BpfOpcode.JGE -> Integer.compareUnsigned(a, operand) >= 0;
            default -> (a & operand) != 0; // JSET
        };
    }
}
