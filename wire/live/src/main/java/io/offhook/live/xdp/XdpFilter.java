package io.offhook.live.xdp;

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

import io.offhook.filter.BpfOpcode;
import io.offhook.filter.BpfProgram;
import io.offhook.linux.raw.BpfAssembler;
import io.offhook.linux.raw.BpfMap;
import io.offhook.linux.raw.XdpProgram;

/**
 * The program that redirects frames: a classic filter translated for the eXpress Data Path. Frames that it matches go
 * to the socket of their queue; the others, and frames of queues without a socket, go on to the machine's stack.
 *
 * <pre>
 *   R6 A    R7 X    R8 the frame    R9 its end    stack: the program's argument, M[0] to M[15]
 * </pre>
 *
 * <p>Operations and comparisons have the same numbers in both languages, and the same meaning in 32 bits except for
 * shifts by 32 and more and division by 0. Each load first checks that it is within the frame, as the kernel's verifier
 * requires.
 */
final class XdpFilter {
    private static final int ARGUMENT = -8;
    private static final int MEMORY = ARGUMENT - BpfOpcode.MEMORY_WORDS * Integer.BYTES;
    /** No frame's first buffer is longer, and the offset of an instruction reaches no further. */
    private static final int MAX_OFFSET = 0x7fff - Integer.BYTES;

    private static final int LOW_NIBBLE = 0xf;
    private static final int CLASS = 0x07;
    private static final int MODE = 0xe0;
    private static final int SIZE = 0x18;
    private static final int OPERATION = 0xf0;
    private static final int WORD_BITS = 32;

    private final BpfAssembler out = new BpfAssembler();
    private final BpfProgram program;
    /** For each instruction of the filter, the label of its start. */
    private final int[] labels;

    private final int take = out.label();
    private final int pass = out.label();

    private XdpFilter(BpfProgram program) {
        this.program = program;
        labels = new int[program.length()];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = out.label();
        }
    }

    /**
     * Returns a program that redirects the frames that a filter matches.
     *
     * @param sockets the sockets by queue number
     */
    static BpfAssembler redirecting(BpfProgram filter, BpfMap sockets) {
        XdpFilter writer = new XdpFilter(filter);
        writer.write(sockets);
        return writer.out;
    }

    private void write(BpfMap sockets) {
        out.store(Long.BYTES, R10, ARGUMENT, R1);
        out.load(Integer.BYTES, R8, R1, XdpProgram.CONTEXT_DATA);
        out.load(Integer.BYTES, R9, R1, XdpProgram.CONTEXT_DATA_END);
        out.computeConstant(BpfAssembler.MOVE, R6, 0);
        out.computeConstant(BpfAssembler.MOVE, R7, 0);
        for (int word = 0; word < BpfOpcode.MEMORY_WORDS; word++) {
            out.store(Integer.BYTES, R10, MEMORY + word * Integer.BYTES, R6);
        }
        // never, since R6 is 0: the verifier requires a path to each end, and not every filter has both
        out.jumpConstant(BpfAssembler.GREATER, R6, 0, take);
        out.jumpConstant(BpfAssembler.GREATER, R6, 0, pass);
        boolean[] isReached = reached();
        for (int i = 0; i < program.length(); i++) {
            if (isReached[i]) {
                out.place(labels[i]);
                write(i);
            }
        }
        out.place(take);
        out.load(Long.BYTES, R1, R10, ARGUMENT);
        out.load(Integer.BYTES, R2, R1, XdpProgram.CONTEXT_RECEIVE_QUEUE);
        out.loadMap(R1, sockets);
        out.computeConstant(BpfAssembler.MOVE, R3, XdpProgram.XDP_PASS);
        out.call(XdpProgram.REDIRECT_MAP);
        out.exit();
        out.place(pass);
        out.computeConstant(BpfAssembler.MOVE, R0, XdpProgram.XDP_PASS);
        out.exit();
    }

    /** Returns which instructions are reachable; the verifier rejects unreachable ones. */
    private boolean[] reached() {
        boolean[] isReached = new boolean[program.length()];
        isReached[0] = true;
        for (int i = 0; i < program.length(); i++) {
            int code = program.code(i);
            if (!isReached[i] || (code & CLASS) == BpfOpcode.RET) {
                continue;
            }
            if ((code & CLASS) != BpfOpcode.JMP) {
                isReached[i + 1] = true;
            } else if ((code & OPERATION) == BpfOpcode.JA) {
                isReached[i + 1 + program.k(i)] = true;
            } else {
                isReached[i + 1 + program.jt(i)] = true;
                isReached[i + 1 + program.jf(i)] = true;
            }
        }
        return isReached;
    }

    private void write(int i) {
        int code = program.code(i);
        int k = program.k(i);
        switch (code & CLASS) {
            case BpfOpcode.LD -> load(code, k, R6);
            case BpfOpcode.LDX -> load(code, k, R7);
            case BpfOpcode.ST -> out.store(Integer.BYTES, R10, MEMORY + k * Integer.BYTES, R6);
            case BpfOpcode.STX -> out.store(Integer.BYTES, R10, MEMORY + k * Integer.BYTES, R7);
            case BpfOpcode.ALU -> compute(code, k);
            case BpfOpcode.JMP -> jump(i, code, k);
            case BpfOpcode.RET -> end(code, k);
            default -> {
                boolean isToX = (code & ~CLASS) == BpfOpcode.TAX;
                out.compute(BpfAssembler.MOVE, isToX ? R7 : R6, isToX ? R6 : R7);
            }
        }
    }

    private void load(int code, int k, int to) {
        switch (code & MODE) {
            case BpfOpcode.IMM -> out.computeConstant(BpfAssembler.MOVE, to, k);
            case BpfOpcode.MEM -> out.load(Integer.BYTES, to, R10, MEMORY + k * Integer.BYTES);
            case BpfOpcode.LEN -> {
                out.load(Long.BYTES, R1, R10, ARGUMENT);
                out.call(XdpProgram.XDP_GET_BUFF_LEN);
                out.compute(BpfAssembler.MOVE, to, R0);
            }
            default -> loadFromFrame(code, k, to);
        }
    }

    private void loadFromFrame(int code, int k, int to) {
        if (k < 0 || k > MAX_OFFSET) {
            passAlways();
            return;
        }
        int bytes = switch (code & SIZE) {
            case BpfOpcode.W -> Integer.BYTES;
            case BpfOpcode.H -> Short.BYTES;
            default -> 1;
        };
        int base = R8;
        if ((code & MODE) == BpfOpcode.IND) {
            // X + k does not wrap: an offset beyond any frame is invalid
            out.jumpAddressConstant(BpfAssembler.GREATER, R7, MAX_OFFSET - k, pass);
            out.computeAddress(BpfAssembler.MOVE, R3, R8);
            out.computeAddress(BpfAssembler.ADD, R3, R7);
            base = R3;
        }
        out.computeAddress(BpfAssembler.MOVE, R4, base);
        out.computeAddressConstant(BpfAssembler.ADD, R4, k + bytes);
        out.jumpAddress(BpfAssembler.GREATER, R4, R9, pass);
        out.load(bytes, to, base, k);
        if (bytes > 1) {
            out.fromNetworkOrder(to, bytes * Byte.SIZE);
        }
        if ((code & MODE) == BpfOpcode.MSH) {
            out.computeConstant(BpfAssembler.AND, to, LOW_NIBBLE);
            out.computeConstant(BpfAssembler.SHIFT_LEFT, to, 2);
        }
    }

    /**
     * Adds a jump that is always taken (nothing is below 0), with the path to the next instruction that the verifier
     * requires.
     */
    private void passAlways() {
        out.jumpConstant(BpfAssembler.GREATER_OR_EQUAL, R6, 0, pass);
    }

    private void compute(int code, int k) {
        int operation = code & OPERATION;
        boolean isShift = operation == BpfOpcode.LSH || operation == BpfOpcode.RSH;
        if (operation == BpfOpcode.NEG) {
            out.computeConstant(operation, R6, 0);
        } else if ((code & BpfOpcode.X) == 0) {
            // neither a shift by more than 31 nor a division by 0: such programs are invalid
            out.computeConstant(operation, R6, k);
        } else if (isShift) {
            shiftByX(operation);
        } else {
            if (operation == BpfOpcode.DIV || operation == BpfOpcode.MOD) {
                out.jumpConstant(BpfAssembler.EQUAL, R7, 0, pass);
            }
            out.compute(operation, R6, R7);
        }
    }

    private void shiftByX(int operation) {
        int all = out.label();
        int end = out.label();
        out.jumpConstant(BpfAssembler.GREATER, R7, WORD_BITS - 1, all);
        out.compute(operation, R6, R7);
        out.jump(end);
        out.place(all);
        out.computeConstant(BpfAssembler.MOVE, R6, 0);
        out.place(end);
    }

    private void jump(int i, int code, int k) {
        int operation = code & OPERATION;
        if (operation == BpfOpcode.JA) {
            out.jump(labels[i + 1 + k]);
            return;
        }
        int holds = labels[i + 1 + program.jt(i)];
        if ((code & BpfOpcode.X) == 0) {
            out.jumpConstant(operation, R6, k, holds);
        } else {
            out.jump(operation, R6, R7, holds);
        }
        if (program.jf(i) != 0) {
            out.jump(labels[i + 1 + program.jf(i)]);
        }
    }

    private void end(int code, int k) {
        if (code == (BpfOpcode.RET | BpfOpcode.A)) {
            out.jumpConstant(BpfAssembler.EQUAL, R6, 0, pass);
            out.jump(take);
        } else {
            out.jump(k == 0 ? pass : take);
        }
    }
}
