package io.offhook.filter;

import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Interprets a classic BPF program, instruction by instruction, as libpcap's bpf_filter does for a packet of a file.
 * This is the reference implementation; {@link BpfCompiler} is tested against it.
 *
 * <ul>
 *   <li>{@code A} and {@code X} are unsigned 32-bit registers; they and the memory words are 0 at the start.
 *   <li>A load that is not entirely within the captured bytes ends the program with 0: the packet does not match.
 *       {@code X + k} does not wrap. Linux's ancillary loads (from SKF_AD_OFF on) end it with 0 as well: there is no
 *       kernel to answer for a captured packet.
 *   <li>Division by an {@code X} of 0 ends the program with 0. A shift by an {@code X} of 32 or more yields 0.
 *   <li>After {@link #MAX_ROUNDS} backward jumps the program ends with 0, so no filter runs forever.
 * </ul>
 *
 * <p>For one thread at a time: the memory words belong to the interpreter. Runs allocate nothing.
 */
public final class BpfInterpreter implements PacketFilter {
    /** The most backward jumps of a run; more than the headers that fit into a packet of 262,144 bytes. */
    public static final int MAX_ROUNDS = 1 << 16;

    private static final int NO_MEMORY = 0;

    private final int[] codes;
    /** Instructions to skip if the condition holds ({@code jt}) or does not hold ({@code jf}). */
    private final int[] jt;

    private final int[] jf;
    private final int[] constants;
    /** The memory words; empty if the program uses none. */
    private final int[] memory;

    /** Prepares to run a program; it is not copied. */
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

    /** Reads the packet at k, or at X + k; -1 if any byte of the load was not captured. */
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

    /** The value of a load from elsewhere than the packet. */
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
            default -> -a; // NEG: the verifier admits no other
        };
    }

    /** Shifts as C shifts 32 bits by fewer than 32; a larger shift leaves no bits. */
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
