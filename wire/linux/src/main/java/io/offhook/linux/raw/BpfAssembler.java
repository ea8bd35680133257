package io.offhook.linux.raw;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Assembles a program of extended BPF (RFC 9669). Registers {@link #R0} to {@link #R10} have 64 bits; arithmetic and
 * comparisons here use the lower 32 bits and clear the upper half of the result, but for those named after addresses.
 *
 * <pre>
 *    0         8       12      16                  32
 *   +---------+-------+-------+-------------------+
 *   |   code  |  dst  |  src  |  offset, signed   |     struct bpf_insn, on a little-endian machine
 *   +---------+-------+-------+-------------------+
 *   |              constant, signed               |
 *   +---------------------------------------------+
 * </pre>
 *
 * A call takes its arguments in R1 to R5, returns its result in R0 and clobbers R1 to R5. R10 is the end of a stack of
 * 512 bytes. Not thread-safe.
 */
public final class BpfAssembler {
    /** The result of a call, and of the program. */
    public static final int R0 = 0;
    /** The first argument of the program, and of a call. */
    public static final int R1 = 1;
    /** The second argument of a call. */
    public static final int R2 = 2;
    /** The third argument of a call. */
    public static final int R3 = 3;
    /** The fourth argument of a call. */
    public static final int R4 = 4;
    /** The first of the registers that calls preserve. */
    public static final int R6 = 6;
    /** Preserved by calls. */
    public static final int R7 = 7;
    /** Preserved by calls. */
    public static final int R8 = 8;
    /** Preserved by calls. */
    public static final int R9 = 9;
    /** The end of the stack; offsets from it are negative. Read-only. */
    public static final int R10 = 10;

    /** Operation: addition. Operations have the numbers of classic BPF. */
    public static final int ADD = 0x00;
    /** Operation: subtraction. */
    public static final int SUBTRACT = 0x10;
    /** Operation: multiplication, without the upper half of the product. */
    public static final int MULTIPLY = 0x20;
    /** Operation: bitwise or. */
    public static final int OR = 0x40;
    /** Operation: bitwise exclusive or. */
    public static final int EXCLUSIVE_OR = 0xa0;
    /** Operation: left shift by 0 to 31. */
    public static final int SHIFT_LEFT = 0x60;
    /** Operation: right shift by 0 to 31, unsigned. */
    public static final int SHIFT_RIGHT = 0x70;
    /** Operation: bitwise and. */
    public static final int AND = 0x50;
    /** Operation: copy. */
    public static final int MOVE = 0xb0;

    /** Comparison: equal. */
    public static final int EQUAL = 0x10;
    /** Comparison: not equal. */
    public static final int NOT_EQUAL = 0x50;
    /** Comparison: less, unsigned. */
    public static final int LESS = 0xa0;
    /** Comparison: greater, unsigned. */
    public static final int GREATER = 0x20;
    /** Comparison: greater or equal, unsigned. */
    public static final int GREATER_OR_EQUAL = 0x30;

    private static final int CLASS_LOAD_CONSTANT = 0x18;
    private static final int CLASS_LOAD = 0x61;
    private static final int CLASS_STORE = 0x63;
    private static final int CLASS_ALU = 0x04;
    private static final int CLASS_JUMP = 0x05;
    private static final int CLASS_JUMP32 = 0x06;
    private static final int CLASS_ALU64 = 0x07;
    private static final int SOURCE_REGISTER = 0x08;
    private static final int CALL = 0x85;
    private static final int EXIT = 0x95;
    /** BPF_ALU | BPF_END | BPF_TO_LE. */
    private static final int FROM_LITTLE_ENDIAN = 0xd4;
    /** BPF_ALU | BPF_END | BPF_TO_BE. */
    private static final int FROM_NETWORK_ORDER = 0xdc;
    /** In a load of a constant: the constant is the descriptor of a map. */
    private static final int PSEUDO_MAP_DESCRIPTOR = 1;

    private static final int INSTRUCTION_BYTES = 8;
    private static final int MAX_LENGTH = 1 << 20;

    private ByteBuffer code = ByteBuffer.allocate(64 * INSTRUCTION_BYTES).order(ByteOrder.nativeOrder());
    /** For each label, the instruction that it precedes, or -1. */
    private int[] places = new int[16];

    private int labels;
    /** For each jump, its instruction and its label. */
    private int[] jumps = new int[32];

    private int jumpCount;

    /** Creates an empty program. */
    public BpfAssembler() {}

    /** Creates a label as the target of jumps, to be {@linkplain #place placed} once. */
    public int label() {
        if (labels == places.length) {
            places = Arrays.copyOf(places, labels * 2);
        }
        places[labels] = -1;
        return labels++;
    }

    /**
     * Places a label before the next instruction.
     *
     * @throws IllegalArgumentException if it was placed already
     */
    public void place(int label) {
        if (places[label] >= 0) {
            throw new IllegalArgumentException("label " + label + " is placed already");
        }
        places[label] = length();
    }

    /** The number of instructions so far. */
    public int length() {
        return code.position() / INSTRUCTION_BYTES;
    }

    /**
     * {@code to = memory[from + offset]}; clears the upper bits.
     *
     * @param bytes 1, 2, 4 or 8
     * @param to the destination register
     * @param from the register with the address
     * @param offset in bytes, -32768 to 32767
     */
    public void load(int bytes, int to, int from, int offset) {
        add(CLASS_LOAD | size(bytes), to, from, offset, 0);
    }

    /**
     * {@code memory[to + offset] = from}: stores the lower {@code bytes} bytes.
     *
     * @param bytes 1, 2, 4 or 8
     * @param to the register with the address
     * @param offset in bytes, -32768 to 32767
     * @param from the register with the value
     */
    public void store(int bytes, int to, int offset, int from) {
        add(CLASS_STORE | size(bytes), to, from, offset, 0);
    }

    private static int size(int bytes) {
        return switch (bytes) {
            case 1 -> 0x10;
            case 2 -> 0x08;
            case 4 -> 0x00;
            case 8 -> 0x18;
            default -> throw new IllegalArgumentException("a load or store has 1, 2, 4 or 8 bytes, not " + bytes);
        };
    }

    /** {@code to = to operation from}, on the lower 32 bits. */
    public void compute(int operation, int to, int from) {
        add(CLASS_ALU | SOURCE_REGISTER | operation, to, from, 0, 0);
    }

    /** {@code to = to operation constant}, on the lower 32 bits. */
    public void computeConstant(int operation, int to, int constant) {
        add(CLASS_ALU | operation, to, 0, 0, constant);
    }

    /** {@code to = to operation from}, on all 64 bits, for addresses. */
    public void computeAddress(int operation, int to, int from) {
        add(CLASS_ALU64 | SOURCE_REGISTER | operation, to, from, 0, 0);
    }

    /** {@code to = to operation constant}, on all 64 bits, for addresses. */
    public void computeAddressConstant(int operation, int to, int constant) {
        add(CLASS_ALU64 | operation, to, 0, 0, constant);
    }

    /**
     * Converts a register from network byte order; clears the upper bits.
     *
     * @param register the register
     * @param bits 16 or 32
     */
    public void fromNetworkOrder(int register, int bits) {
        add(FROM_NETWORK_ORDER, register, 0, 0, bits);
    }

    /**
     * Converts a register from little-endian byte order; clears the upper bits.
     *
     * @param register the register
     * @param bits 16, 32 or 64
     */
    public void fromLittleEndian(int register, int bits) {
        add(FROM_LITTLE_ENDIAN, register, 0, 0, bits);
    }

    /** {@code to = constant}, all 64 bits. */
    public void loadConstant(int to, long constant) {
        add(CLASS_LOAD_CONSTANT, to, 0, 0, (int) constant);
        add(0, 0, 0, 0, (int) (constant >>> 32));
    }

    /** {@code to = map}, for calls that take a map. */
    public void loadMap(int to, BpfMap map) {
        add(CLASS_LOAD_CONSTANT, to, PSEUDO_MAP_DESCRIPTOR, 0, map.descriptor());
        add(0, 0, 0, 0, 0);
    }

    /** Jumps to the label. */
    public void jump(int label) {
        addJump(CLASS_JUMP, 0, 0, 0, label);
    }

    /** Jumps to the label if {@code left comparison right} holds, on the lower 32 bits. */
    public void jump(int comparison, int left, int right, int label) {
        addJump(CLASS_JUMP32 | SOURCE_REGISTER | comparison, left, right, 0, label);
    }

    /** Jumps to the label if {@code left comparison constant} holds, on the lower 32 bits. */
    public void jumpConstant(int comparison, int left, int constant, int label) {
        addJump(CLASS_JUMP32 | comparison, left, 0, constant, label);
    }

    /** As {@link #jump(int, int, int, int)}, on all 64 bits, for addresses. */
    public void jumpAddress(int comparison, int left, int right, int label) {
        addJump(CLASS_JUMP | SOURCE_REGISTER | comparison, left, right, 0, label);
    }

    /** As {@link #jumpConstant}, on all 64 bits, for values that are added to an address. */
    public void jumpAddressConstant(int comparison, int left, int constant, int label) {
        addJump(CLASS_JUMP | comparison, left, 0, constant, label);
    }

    /** Calls a kernel function by its number in bpf-helpers(7). */
    public void call(int function) {
        add(CALL, 0, 0, 0, function);
    }

    /** Ends the program with the result R0. */
    public void exit() {
        add(EXIT, 0, 0, 0, 0);
    }

    private void addJump(int operation, int left, int right, int constant, int label) {
        if (jumpCount + 2 > jumps.length) {
            jumps = Arrays.copyOf(jumps, jumps.length * 2);
        }
        jumps[jumpCount++] = length();
        jumps[jumpCount++] = label;
        add(operation, left, right, 0, constant);
    }

    private void add(int operation, int to, int from, int offset, int constant) {
        if (offset != (short) offset) {
            throw new IllegalArgumentException("offset " + offset + " is outside -32768 to 32767");
        }
        if (!code.hasRemaining()) {
            if (length() == MAX_LENGTH) {
                throw new IllegalStateException("a program has at most " + MAX_LENGTH + " instructions");
            }
            code = ByteBuffer.allocate(code.capacity() * 2)
                    .order(ByteOrder.nativeOrder())
                    .put(code.flip());
        }
        boolean isLittle = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        code.put((byte) operation).put((byte) (isLittle ? from << 4 | to : to << 4 | from));
        code.putShort((short) offset).putInt(constant);
    }

    /**
     * Encodes the instructions as the kernel expects them.
     *
     * @throws IllegalStateException if a label is not placed, or a jump spans more than 32,767 instructions
     */
    byte[] toBytes() {
        for (int i = 0; i < jumpCount; i += 2) {
            int place = places[jumps[i + 1]];
            int distance = place - jumps[i] - 1;
            if (place < 0) {
                throw new IllegalStateException("label " + jumps[i + 1] + " is not placed");
            }
            if (distance != (short) distance) {
                throw new IllegalStateException("a jump spans " + distance + " instructions; the limit is 32767");
            }
            code.putShort(jumps[i] * INSTRUCTION_BYTES + 2, (short) distance);
        }
        return Arrays.copyOf(code.array(), code.position());
    }
}
