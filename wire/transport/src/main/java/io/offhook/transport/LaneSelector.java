package io.offhook.transport;

import static io.offhook.linux.raw.BpfAssembler.ADD;
import static io.offhook.linux.raw.BpfAssembler.AND;
import static io.offhook.linux.raw.BpfAssembler.EQUAL;
import static io.offhook.linux.raw.BpfAssembler.EXCLUSIVE_OR;
import static io.offhook.linux.raw.BpfAssembler.GREATER;
import static io.offhook.linux.raw.BpfAssembler.GREATER_OR_EQUAL;
import static io.offhook.linux.raw.BpfAssembler.LESS;
import static io.offhook.linux.raw.BpfAssembler.MOVE;
import static io.offhook.linux.raw.BpfAssembler.MULTIPLY;
import static io.offhook.linux.raw.BpfAssembler.NOT_EQUAL;
import static io.offhook.linux.raw.BpfAssembler.OR;
import static io.offhook.linux.raw.BpfAssembler.R0;
import static io.offhook.linux.raw.BpfAssembler.R1;
import static io.offhook.linux.raw.BpfAssembler.R10;
import static io.offhook.linux.raw.BpfAssembler.R2;
import static io.offhook.linux.raw.BpfAssembler.R3;
import static io.offhook.linux.raw.BpfAssembler.R4;
import static io.offhook.linux.raw.BpfAssembler.R6;
import static io.offhook.linux.raw.BpfAssembler.R7;
import static io.offhook.linux.raw.BpfAssembler.R8;
import static io.offhook.linux.raw.BpfAssembler.R9;
import static io.offhook.linux.raw.BpfAssembler.SHIFT_RIGHT;
import static io.offhook.linux.raw.BpfAssembler.SUBTRACT;

import io.offhook.linux.raw.BpfAssembler;
import io.offhook.linux.raw.BpfMap;
import io.offhook.linux.raw.ReuseportProgram;
import java.nio.charset.StandardCharsets;

/**
 * The program with which the kernel selects the lane of a datagram with SIP:
 *
 * <ul>
 *   <li>a response: if the first "branch=", within 512 bytes, is followed by {@code z9hG4bKoh} and two hexadecimal digits, the
 *       lane that they name;
 *   <li>a request: {@link CallIdLane} of the first Call-ID header, also in its compact form, within the first 2,048 bytes;
 *   <li>anything else: by the kernel's hash of the addresses.
 * </ul>
 *
 * A wrong choice costs a hand-over between lanes and no more. The program copies the beginning of the datagram to memory of
 * the processor, and scans it for line ends by words of eight bytes: 0.3 microseconds for an INVITE with ten headers.
 *
 * <p>The kernel's verifier follows each round of a loop. So all loops are bounded by constants, have one way through, and start
 * from a position that it does not know: it then looks at 70,000 instructions, of the million that it permits. Needs CAP_BPF,
 * and CAP_PERFMON, without which addresses may not be computed in this way.
 *
 * <p>Registers: R6 counts rounds, R7 is the length, R8 the copy, R9 the position.
 */
final class LaneSelector {
    /** The bytes that are looked at: a power of two. */
    static final int MOST_OCTETS = 2048;
    /** Behind them: what is read beyond a position, and the longest value with its blanks. */
    private static final int SPARE_OCTETS = 512;

    private static final int SHORTEST = 24;
    private static final int MOST_BEFORE_BRANCH = 512;
    private static final int MOST_BLANKS = 4;
    /** Words of eight bytes, and as many lines as there may be before the Call-ID. */
    private static final int MOST_ROUNDS = MOST_OCTETS / 9 + 64;

    private static final long EVERY_OCTET = 0x0101_0101_0101_0101L;
    private static final long SEVEN_OCTETS = 0x00ff_ffff_ffff_ffffL;

    private final BpfAssembler code = new BpfAssembler();
    private final int lanes;
    /** Leaves the choice to the kernel. */
    private final int otherwise = code.label();

    private LaneSelector(int lanes) {
        this.lanes = lanes;
    }

    /**
     * Loads the program.
     *
     * @throws io.offhook.linux.LinuxException if the kernel refuses
     */
    static ReuseportProgram load(int lanes) {
        try (BpfMap memory = BpfMap.ofMemory(MOST_OCTETS + SPARE_OCTETS)) {
            return ReuseportProgram.load(new LaneSelector(lanes).assemble(memory));
        }
    }

    private BpfAssembler assemble(BpfMap memory) {
        int request = code.label();
        copy(memory);
        code.computeConstant(MOVE, R9, 0);
        word(R3);
        code.loadConstant(R4, littleEndian("SIP/2.0 "));
        code.jumpAddress(NOT_EQUAL, R3, R4, request);
        response();
        code.place(request);
        request();
        code.place(otherwise);
        code.computeConstant(MOVE, R0, -1);
        code.exit();
        return code;
    }

    /** Copies the beginning of the datagram, and zeros behind it, to R8; its length to R7. */
    private void copy(BpfMap memory) {
        int isShort = code.label();
        code.computeAddress(MOVE, R6, R1);
        code.load(4, R7, R1, ReuseportProgram.CONTEXT_LENGTH);
        code.computeConstant(MOVE, R2, 0);
        code.store(4, R10, -4, R2);
        code.loadMap(R1, memory);
        code.computeAddress(MOVE, R2, R10);
        code.computeAddressConstant(ADD, R2, -4);
        code.call(ReuseportProgram.MAP_LOOKUP_ELEM);
        code.jumpAddressConstant(EQUAL, R0, 0, otherwise);
        code.computeAddress(MOVE, R8, R0);
        code.jumpAddressConstant(LESS, R7, SHORTEST, otherwise);
        code.jumpAddressConstant(LESS, R7, MOST_OCTETS, isShort);
        code.computeConstant(MOVE, R7, MOST_OCTETS);
        code.place(isShort);
        code.computeAddress(MOVE, R1, R6);
        code.computeConstant(MOVE, R2, 0);
        code.computeAddress(MOVE, R3, R8);
        code.computeAddress(MOVE, R4, R7);
        code.call(ReuseportProgram.SKB_LOAD_BYTES);
        code.jumpConstant(NOT_EQUAL, R0, 0, otherwise);
        code.computeAddress(MOVE, R2, R8);
        code.computeAddress(ADD, R2, R7);
        code.computeConstant(MOVE, R3, 0);
        for (int i = 0; i < 4; i++) {
            code.store(8, R2, 8 * i, R3);
        }
    }

    /** Sets R2 to the address of the position. */
    private void address() {
        code.computeAddress(MOVE, R2, R8);
        code.computeAddress(ADD, R2, R9);
    }

    /** Reads the eight octets at the position, the first of them into the lowest bits; R2 is their address. */
    private void word(int to) {
        address();
        code.load(8, to, R2, 0);
        code.fromLittleEndian(to, 64);
    }

    private void response() {
        int next = code.label();
        int found = code.label();
        // from a position in the first line, as below
        code.load(1, R9, R8, 0);
        code.computeConstant(AND, R9, 7);
        code.computeConstant(MOVE, R6, 0);
        code.place(next);
        code.computeConstant(AND, R9, MOST_BEFORE_BRANCH - 1);
        word(R3);
        code.loadConstant(R4, SEVEN_OCTETS);
        code.computeAddress(AND, R3, R4);
        code.loadConstant(R4, littleEndian("branch="));
        code.jumpAddress(EQUAL, R3, R4, found);
        code.computeConstant(ADD, R9, 1);
        code.jumpAddress(GREATER_OR_EQUAL, R9, R7, otherwise);
        code.computeConstant(ADD, R6, 1);
        code.jumpConstant(LESS, R6, MOST_BEFORE_BRANCH, next);
        code.jump(otherwise);

        code.place(found);
        code.load(8, R3, R2, 7);
        code.fromLittleEndian(R3, 64);
        code.loadConstant(R4, littleEndian("z9hG4bKo"));
        code.jumpAddress(NOT_EQUAL, R3, R4, otherwise);
        code.load(1, R3, R2, 15);
        code.jumpConstant(NOT_EQUAL, R3, 'h', otherwise);
        hexadecimalDigit(R0, 16);
        hexadecimalDigit(R4, 17);
        code.computeConstant(MULTIPLY, R0, 16);
        code.compute(ADD, R0, R4);
        code.jumpConstant(GREATER_OR_EQUAL, R0, lanes, otherwise);
        code.exit();
    }

    /** The value of the digit at an offset from R2. */
    private void hexadecimalDigit(int to, int offset) {
        int isDecimal = code.label();
        code.load(1, to, R2, offset);
        code.computeConstant(SUBTRACT, to, '0');
        code.jumpConstant(LESS, to, 10, isDecimal);
        code.computeConstant(ADD, to, '0');
        code.computeConstant(OR, to, 0x20);
        code.computeConstant(SUBTRACT, to, 'a');
        code.jumpConstant(GREATER, to, 5, otherwise);
        code.computeConstant(ADD, to, 10);
        code.place(isDecimal);
    }

    private void request() {
        // a method begins with a letter; keep-alives and STUN do not
        code.load(1, R9, R8, 0);
        code.jumpConstant(LESS, R9, 'A', otherwise);
        code.jumpConstant(GREATER, R9, 'z', otherwise);
        findCallId();
        skipBlanks();
        address();
        code.load(1, R3, R2, 0);
        code.jumpConstant(NOT_EQUAL, R3, ':', otherwise);
        code.computeConstant(ADD, R9, 1);
        skipBlanks();
        hash();
    }

    /** Goes from line end to line end to the header; the position is then behind its name. */
    private void findCallId() {
        int next = code.label();
        int isLong = code.label();
        int isCompact = code.label();
        // somewhere in the method: the verifier then follows one unknown position instead of each known one
        code.computeConstant(AND, R9, 7);
        code.computeConstant(MOVE, R6, 0);

        code.place(next);
        toLineEnd();
        code.jumpAddress(GREATER_OR_EQUAL, R9, R7, otherwise);
        word(R3);
        code.loadConstant(R4, upperCaseMask("\ncall-id"));
        code.computeAddress(MOVE, R2, R3);
        code.computeAddress(AND, R2, R4);
        code.loadConstant(R4, littleEndian("\nCALL-ID"));
        code.jumpAddress(EQUAL, R2, R4, isLong);
        code.computeAddressConstant(AND, R3, (int) upperCaseMask("\ni:"));
        for (String name : new String[] {"\nI:", "\nI ", "\nI\t"}) {
            code.jumpAddressConstant(EQUAL, R3, (int) littleEndian(name), isCompact);
        }
        code.jumpAddressConstant(EQUAL, R3, (int) littleEndian("\n\r\n"), otherwise); // the body follows
        code.computeConstant(ADD, R9, 1);
        code.computeConstant(ADD, R6, 1);
        code.jumpConstant(LESS, R6, MOST_ROUNDS, next);
        code.jump(otherwise);

        code.place(isLong);
        code.computeConstant(ADD, R9, "all-id".length());
        code.place(isCompact);
        code.computeConstant(ADD, R9, "\ni".length());
    }

    /** Moves the position to the next line feed within eight octets, otherwise behind them. */
    private void toLineEnd() {
        code.computeConstant(AND, R9, MOST_OCTETS - 1);
        word(R3);
        // the highest bit of each octet that is a line feed, at least up to the first one
        code.loadConstant(R4, EVERY_OCTET * '\n');
        code.computeAddress(EXCLUSIVE_OR, R3, R4);
        code.loadConstant(R4, EVERY_OCTET);
        code.computeAddress(MOVE, R2, R3);
        code.computeAddress(SUBTRACT, R2, R4);
        code.computeAddressConstant(EXCLUSIVE_OR, R3, -1);
        code.computeAddress(AND, R2, R3);
        code.loadConstant(R4, EVERY_OCTET << 7);
        code.computeAddress(AND, R2, R4);
        // the number of octets below the lowest bit that is set; eight if none is
        code.computeConstant(MOVE, R3, 0);
        code.computeAddress(SUBTRACT, R3, R2);
        code.computeAddress(AND, R3, R2);
        code.computeAddressConstant(SUBTRACT, R3, 1);
        code.computeAddress(AND, R3, R4);
        code.computeAddressConstant(SHIFT_RIGHT, R3, 7);
        code.loadConstant(R4, EVERY_OCTET);
        code.computeAddress(MULTIPLY, R3, R4);
        code.computeAddressConstant(SHIFT_RIGHT, R3, 56);
        code.computeAddress(ADD, R9, R3);
    }

    private void skipBlanks() {
        int next = code.label();
        int end = code.label();
        code.computeConstant(MOVE, R6, 0);
        code.place(next);
        address();
        code.load(1, R3, R2, 0);
        // zero for both kinds of blanks, without a second way through the loop
        code.computeConstant(MOVE, R4, ' ');
        code.compute(EXCLUSIVE_OR, R4, R3);
        code.compute(MOVE, R2, R3);
        code.computeConstant(EXCLUSIVE_OR, R2, '\t');
        code.compute(MULTIPLY, R4, R2);
        code.jumpConstant(NOT_EQUAL, R4, 0, end);
        code.computeConstant(ADD, R9, 1);
        code.computeConstant(ADD, R6, 1);
        code.jumpConstant(LESS, R6, MOST_BLANKS, next);
        code.jump(otherwise);
        code.place(end);
    }

    /** {@link CallIdLane} of the value at the position, up to the end of its line. */
    private void hash() {
        int next = code.label();
        int end = code.label();
        code.jumpConstant(EQUAL, R3, '\r', otherwise);
        code.jumpConstant(EQUAL, R3, '\n', otherwise);
        code.jumpAddress(GREATER_OR_EQUAL, R9, R7, otherwise);
        code.computeConstant(MOVE, R0, CallIdLane.BASIS);
        code.computeConstant(MOVE, R6, 0);
        code.place(next);
        address();
        code.load(1, R3, R2, 0);
        code.jumpConstant(EQUAL, R3, '\r', end);
        code.jumpConstant(EQUAL, R3, '\n', end);
        code.compute(EXCLUSIVE_OR, R0, R3);
        code.computeConstant(MULTIPLY, R0, CallIdLane.PRIME);
        code.computeConstant(ADD, R9, 1);
        code.jumpAddress(GREATER_OR_EQUAL, R9, R7, end);
        code.computeConstant(ADD, R6, 1);
        code.jumpConstant(LESS, R6, CallIdLane.MAX_OCTETS, next);
        code.place(end);
        foldHash(16);
        code.computeConstant(MULTIPLY, R0, CallIdLane.MIX);
        foldHash(13);
        code.computeAddressConstant(MULTIPLY, R0, lanes);
        code.computeAddressConstant(SHIFT_RIGHT, R0, 32);
        code.exit();
    }

    private void foldHash(int bits) {
        code.compute(MOVE, R3, R0);
        code.computeConstant(SHIFT_RIGHT, R3, bits);
        code.compute(EXCLUSIVE_OR, R0, R3);
    }

    /** The bits of a text without those that distinguish lower from upper case. */
    private static long upperCaseMask(String text) {
        long word = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            word = word << 8 | (Character.isLetter(text.charAt(i)) ? 0xdf : 0xff);
        }
        return word;
    }

    private static long littleEndian(String text) {
        byte[] octets = text.getBytes(StandardCharsets.US_ASCII);
        long word = 0;
        for (int i = octets.length - 1; i >= 0; i--) {
            word = word << 8 | octets[i];
        }
        return word;
    }
}
