package io.offhook.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes a program of extended BPF, RFC 9669: registers {@link #R0} to {@link #R10} of 64 bits, whose lower halves
 * computing and comparing work on here; the upper half of a result is 0.
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
 * A call takes R1 to R5, leaves R0 and forgets R1 to R5; R10 is the end of a stack of 512 bytes.
 */
public final class BpfAssembler {
    /** The result of a call, and of the program. */
    public static final int R0 = 0;
    /** The program's argument at first, and that of a call. */
    public static final int R1 = 1;
    /** The second argument of a call. */
    public static final int R2 = 2;
    /** The third argument of a call. */
    public static final int R3 = 3;
    /** The fourth argument of a call. */
    public static final int R4 = 4;
    /** The first that a call keeps. */
    public static final int R6 = 6;
    /** Kept by calls. */
    public static final int R7 = 7;
    /** Kept by calls. */
    public static final int R8 = 8;
    /** Kept by calls. */
    public static final int R9 = 9;
    /** Where the stack ends; offsets from it are negative. */
    public static final int R10 = 10;

    /** Adds; the operations have the numbers of classic BPF. */
    public static final int ADD = 0x00;
    /** To the left by 0 to 31. */
    public static final int SHIFT_LEFT = 0x60;
    /** To the right by 0 to 31, without a sign. */
    public static final int SHIFT_RIGHT = 0x70;
    /** The bits that both have. */
    public static final int AND = 0x50;
    /** Copies. */
    public static final int MOVE = 0xb0;

    /** Compares: equal. */
    public static final int EQUAL = 0x10;
    /** Compares: greater, unsigned. */
    public static final int GREATER = 0x20;
    /** Compares: greater or equal, unsigned. */
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
    /** BPF_ALU | BPF_END | BPF_TO_BE. */
    private static final int FROM_NETWORK_ORDER = 0xdc;
    /** Of a load of a constant: that it is the descriptor of a map. */
    private static final int PSEUDO_MAP_DESCRIPTOR = 1;

    private static final int INSTRUCTION_BYTES = 8;
    private static final int MAX_LENGTH = 1 << 20;

    private ByteBuffer code = ByteBuffer.allocate(64 * INSTRUCTION_BYTES).order(ByteOrder.nativeOrder());
    /** Of each label the instruction that it stands before, or -1. */
    private int[] places = new int[16];

    private int labels;
    /** Of each jump: its instruction, and its label. */
    private int[] jumps = new int[32];

    private int jumpCount;

    /** A program of nothing. */
    public BpfAssembler() {}

    /** A place that jumps go to, to be {@linkplain #place placed} once. */
    public int label() {
        if (labels == places.length) {
            places = Arrays.copyOf(places, labels * 2);
        }
        places[labels] = -1;
        return labels++;
    }

    /** The label stands before the instruction that comes next. */
    public void place(int label) {
        if (places[label] >= 0) {
            throw new IllegalArgumentException("label " + label + " is placed already");
        }
        places[label] = length();
    }

    /** How many instructions there are. */
    public int length() {
        return code.position() / INSTRUCTION_BYTES;
    }

    /**
     * {@code to = memory[from + offset]}, the upper bits 0.
     *
     * @param bytes 1, 2, 4 or 8
     */
    public void load(int bytes, int to, int from, int offset) {
        add(CLASS_LOAD | size(bytes), to, from, offset, 0);
    }

    /** {@code memory[to + offset] = from}, as many of its lower bytes as said. */
    public void store(int bytes, int to, int offset, int from) {
        add(CLASS_STORE | size(bytes), to, from, offset, 0);
    }

    private static int size(int bytes) {
        return switch (bytes) {
            case 1 -> 0x10;
            case 2 -> 0x08;
            case 4 -> 0x00;
            case 8 -> 0x18;
            default -> throw new IllegalArgumentException("there is no load or store of " + bytes + " bytes");
        };
    }

    /** {@code to = to operation from}, of the lower 32 bits. */
    public void compute(int operation, int to, int from) {
        add(CLASS_ALU | SOURCE_REGISTER | operation, to, from, 0, 0);
    }

    /** {@code to = to operation constant}, of the lower 32 bits. */
    public void computeConstant(int operation, int to, int constant) {
        add(CLASS_ALU | operation, to, 0, 0, constant);
    }

    /** {@code to = to operation from}, all 64 bits: of addresses. */
    public void computeAddress(int operation, int to, int from) {
        add(CLASS_ALU64 | SOURCE_REGISTER | operation, to, from, 0, 0);
    }

    /** {@code to = to operation constant}, all 64 bits: of addresses. */
    public void computeAddressConstant(int operation, int to, int constant) {
        add(CLASS_ALU64 | operation, to, 0, 0, constant);
    }

    /**
     * From network order, the upper bits 0.
     *
     * @param bits 16 or 32
     */
    public void fromNetworkOrder(int register, int bits) {
        add(FROM_NETWORK_ORDER, register, 0, 0, bits);
    }

    /** {@code to = map}: for calls that take one. */
    public void loadMap(int to, BpfMap map) {
        add(CLASS_LOAD_CONSTANT, to, PSEUDO_MAP_DESCRIPTOR, 0, map.descriptor());
        add(0, 0, 0, 0, 0);
    }

    /** Goes on at the label. */
    public void jump(int label) {
        addJump(CLASS_JUMP, 0, 0, 0, label);
    }

    /** Goes on at the label where {@code left comparison right}, of the lower 32 bits. */
    public void jump(int comparison, int left, int right, int label) {
        addJump(CLASS_JUMP32 | SOURCE_REGISTER | comparison, left, right, 0, label);
    }

    /** Goes on at the label where {@code left comparison constant}, of the lower 32 bits. */
    public void jumpConstant(int comparison, int left, int constant, int label) {
        addJump(CLASS_JUMP32 | comparison, left, 0, constant, label);
    }

    /** As {@link #jump(int, int, int, int)}, of all 64 bits: of addresses. */
    public void jumpAddress(int comparison, int left, int right, int label) {
        addJump(CLASS_JUMP | SOURCE_REGISTER | comparison, left, right, 0, label);
    }

    /** As {@link #jumpConstant}, of all 64 bits: of what is to be added to an address. */
    public void jumpAddressConstant(int comparison, int left, int constant, int label) {
        addJump(CLASS_JUMP | comparison, left, 0, constant, label);
    }

    /** Calls a function of the kernel, by its number in bpf-helpers(7). */
    public void call(int function) {
        add(CALL, 0, 0, 0, function);
    }

    /** Ends with the result R0. */
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
     * The instructions, as the kernel takes them.
     *
     * @throws IllegalStateException where a label has no place, or a jump goes over more than 32,767 instructions
     */
    byte[] toBytes() {
        for (int i = 0; i < jumpCount; i += 2) {
            int place = places[jumps[i + 1]];
            int distance = place - jumps[i] - 1;
            if (place < 0) {
                throw new IllegalStateException("label " + jumps[i + 1] + " has no place");
            }
            if (distance != (short) distance) {
                throw new IllegalStateException("a jump over " + distance + " instructions is too far");
            }
            code.putShort(jumps[i] * INSTRUCTION_BYTES + 2, (short) distance);
        }
        return Arrays.copyOf(code.array(), code.position());
    }
}
