package io.offhook.filter;

import static java.lang.constant.ConstantDescs.CD_Integer;
import static java.lang.constant.ConstantDescs.CD_int;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compiles a run of consecutive instructions to the body of one method. A jump within the run is a jump; a jump to a
 * later instruction calls the method that contains it and returns its result.
 */
final class BpfMethod {
    // local variables: this, then the parameters of match
    private static final int SEGMENT = 1;
    private static final int OFFSET = 2;
    private static final int CAPTURED_LENGTH = 4;
    private static final int WIRE_LENGTH = 5;
    static final int A = 6;
    private static final int X = 7;
    /**
     * In a part, the instruction to begin at; in a program with a loop, which is never split into parts, the backward
     * jumps so far.
     */
    private static final int ENTRY = 8;

    static final int MEMORY = 9;

    private static final MethodTypeDesc BINARY = MethodTypeDesc.of(CD_int, CD_int, CD_int);
    private static final ClassDesc INTERPRETER =
            BpfInterpreter.class.describeConstable().orElseThrow();

    private final BpfProgram program;
    private final BpfBounds bounds;
    private final BpfBytecode bytecode;
    private final CodeBuilder code;
    private final int first;
    private final int end;
    /** The variable of the read position, after the memory words. */
    private final int at;

    private final Label[] labels;
    private final Label rejected;
    private boolean isRejectedUsed;
    /** The later instructions that this run jumps to, in ascending order. */
    private final Map<Integer, Label> later = new TreeMap<>();

    BpfMethod(BpfProgram program, BpfBounds bounds, BpfBytecode bytecode, CodeBuilder code, int first, int end) {
        this.program = program;
        this.bounds = bounds;
        this.bytecode = bytecode;
        this.code = code;
        this.first = first;
        this.end = end;
        at = MEMORY + bytecode.memoryWords();
        labels = new Label[end - first];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = code.newLabel();
        }
        rejected = code.newLabel();
    }

    void write() {
        if (first > 0) {
            begin();
        }
        for (int i = first; i < end; i++) {
            if (bounds.isReached(i)) {
                code.labelBinding(labels[i - first]);
                instruction(i);
            }
        }
        later.forEach(this::callPart);
        if (isRejectedUsed) {
            code.labelBinding(rejected).iconst_0().ireturn();
        }
    }

    /** Jumps to the instruction that the part was called with. */
    private void begin() {
        List<Integer> entries = entries();
        if (entries.isEmpty()) {
            code.iconst_0().ireturn(); // no instruction here is reachable
            return;
        }
        List<SwitchCase> cases = new ArrayList<>();
        for (int i = 1; i < entries.size(); i++) {
            cases.add(SwitchCase.of(entries.get(i), label(entries.get(i))));
        }
        if (cases.isEmpty()) {
            jump(entries.getFirst());
        } else {
            code.iload(ENTRY).lookupswitch(label(entries.getFirst()), cases);
        }
    }

    /** The instructions of this part that earlier parts jump to or continue with. */
    private List<Integer> entries() {
        boolean[] isEntry = new boolean[end - first];
        for (int i = 0; i < first; i++) {
            if (!bounds.isReached(i) || bounds.isHopeless(i)) {
                continue;
            }
            int codeOf = program.code(i);
            if (BpfOpcode.isConditional(codeOf)) {
                enter(isEntry, i + 1 + program.jt(i));
                enter(isEntry, i + 1 + program.jf(i));
            } else if (codeOf == (BpfOpcode.JMP | BpfOpcode.JA)) {
                enter(isEntry, i + 1 + program.k(i));
            } else if (BpfOpcode.classOf(codeOf) != BpfOpcode.RET) {
                enter(isEntry, i + 1);
            }
        }
        List<Integer> entries = new ArrayList<>();
        for (int i = 0; i < isEntry.length; i++) {
            if (isEntry[i]) {
                entries.add(first + i);
            }
        }
        return entries;
    }

    private void enter(boolean[] isEntry, int target) {
        if (target >= first && target < end) {
            isEntry[target - first] = true;
        }
    }

    private void callPart(int target, Label label) {
        code.labelBinding(label).aload(0).aload(SEGMENT).lload(OFFSET);
        code.iload(CAPTURED_LENGTH).iload(WIRE_LENGTH).iload(A).iload(X).loadConstant(target);
        for (int word = 0; word < bytecode.memoryWords(); word++) {
            code.iload(MEMORY + word);
        }
        code.invokevirtual(BpfBytecode.THIS, bytecode.partNameOf(target), bytecode.partType());
        code.ireturn();
    }

    private Label label(int target) {
        if (target >= end) {
            return later.computeIfAbsent(target, _ -> code.newLabel());
        }
        return labels[target - first];
    }

    private Label rejected() {
        isRejectedUsed = true;
        return rejected;
    }

    private void jump(int target) {
        code.goto_(label(target));
    }

    private void instruction(int i) {
        if (bounds.isHopeless(i)) {
            code.iconst_0().ireturn();
            return;
        }
        int codeOf = program.code(i);
        switch (BpfOpcode.classOf(codeOf)) {
            case BpfOpcode.LD, BpfOpcode.LDX -> load(i);
            case BpfOpcode.ST -> code.iload(A).istore(MEMORY + program.k(i));
            case BpfOpcode.STX -> code.iload(X).istore(MEMORY + program.k(i));
            case BpfOpcode.ALU -> arithmetic(i);
            case BpfOpcode.JMP -> {
                if (BpfOpcode.isConditional(codeOf)) {
                    branch(i);
                } else {
                    always(i);
                }
                return;
            }
            case BpfOpcode.RET -> {
                result(i);
                return;
            }
            default -> {
                boolean isTax = codeOf == (BpfOpcode.MISC | BpfOpcode.TAX);
                code.iload(isTax ? A : X).istore(isTax ? X : A);
            }
        }
        if (i + 1 == end) {
            jump(end); // continues in the next part
        }
    }

    private void load(int i) {
        int codeOf = program.code(i);
        if (BpfOpcode.isAbsoluteLoad(codeOf)) {
            int toCheck = bounds.toCheck(i);
            if (toCheck > 0) {
                code.iload(CAPTURED_LENGTH).loadConstant(toCheck).if_icmplt(rejected());
            }
            code.aload(SEGMENT).lload(OFFSET);
            if (program.k(i) != 0) {
                code.loadConstant(Integer.toUnsignedLong(program.k(i))).ladd();
            }
            read(codeOf);
        } else if (BpfOpcode.isPacketLoad(codeOf)) {
            indexed(i);
        } else {
            switch (BpfOpcode.modeOf(codeOf)) {
                case BpfOpcode.IMM -> code.loadConstant(program.k(i));
                case BpfOpcode.LEN -> code.iload(WIRE_LENGTH);
                default -> code.iload(MEMORY + program.k(i));
            }
        }
        code.istore(BpfOpcode.classOf(codeOf) == BpfOpcode.LD ? A : X);
    }

    /** The position X + k, in 64 bits, so that it does not wrap. */
    private void indexed(int i) {
        int codeOf = program.code(i);
        code.iload(X).i2l().loadConstant(0xffff_ffffL).land();
        if (program.k(i) != 0) {
            code.loadConstant(Integer.toUnsignedLong(program.k(i))).ladd();
        }
        code.lstore(at)
                .lload(at)
                .loadConstant((long) BpfOpcode.bytesLoaded(codeOf))
                .ladd();
        code.iload(CAPTURED_LENGTH).i2l().lcmp().ifgt(rejected());
        code.aload(SEGMENT).lload(OFFSET).lload(at).ladd();
        read(codeOf);
    }

    /** Reads an int at the segment and offset that are on the stack. */
    private void read(int codeOf) {
        String name = switch (BpfOpcode.sizeOf(codeOf)) {
            case BpfOpcode.W -> "bits32";
            case BpfOpcode.H -> "u16";
            default -> "u8";
        };
        code.invokestatic(BpfBytecode.NETWORK_ORDER, name, BpfBytecode.READ);
        if (codeOf == BpfOpcode.LDX_MSH) {
            code.bipush(0xf).iand().iconst_2().ishl();
        }
    }

    private void operand(int i) {
        if (BpfOpcode.isOperandX(program.code(i))) {
            code.iload(X);
        } else {
            code.loadConstant(program.k(i));
        }
    }

    private void arithmetic(int i) {
        int codeOf = program.code(i);
        if (BpfOpcode.isDivision(codeOf) && BpfOpcode.isOperandX(codeOf)) {
            code.iload(X).ifeq(rejected());
        }
        code.iload(A);
        int operation = BpfOpcode.operationOf(codeOf);
        if (operation == BpfOpcode.NEG) {
            code.ineg().istore(A);
            return;
        }
        operand(i);
        switch (operation) {
            case BpfOpcode.ADD -> code.iadd();
            case BpfOpcode.SUB -> code.isub();
            case BpfOpcode.MUL -> code.imul();
            case BpfOpcode.DIV -> code.invokestatic(CD_Integer, "divideUnsigned", BINARY);
            case BpfOpcode.MOD -> code.invokestatic(CD_Integer, "remainderUnsigned", BINARY);
            case BpfOpcode.OR -> code.ior();
            case BpfOpcode.AND -> code.iand();
            case BpfOpcode.XOR -> code.ixor();
            default -> shift(operation, BpfOpcode.isOperandX(codeOf));
        }
        code.istore(A);
    }

    private void shift(int operation, boolean isByX) {
        boolean isLeft = operation == BpfOpcode.LSH;
        if (isByX) {
            code.invokestatic(INTERPRETER, isLeft ? "shiftLeft" : "shiftRight", BINARY);
        } else if (isLeft) {
            code.ishl();
        } else {
            code.iushr();
        }
    }

    private void branch(int i) {
        int codeOf = program.code(i);
        int ifTrue = i + 1 + program.jt(i);
        int ifFalse = i + 1 + program.jf(i);
        if (ifTrue == ifFalse) {
            continueAt(ifTrue, i);
            return;
        }
        boolean isInverted = ifTrue == i + 1 && ifTrue < end;
        Label target = label(isInverted ? ifFalse : ifTrue);
        int operation = BpfOpcode.operationOf(codeOf);
        code.iload(A);
        switch (operation) {
            case BpfOpcode.JEQ -> {
                operand(i);
                code.branch(isInverted ? Opcode.IF_ICMPNE : Opcode.IF_ICMPEQ, target);
            }
            case BpfOpcode.JSET -> {
                operand(i);
                code.iand().branch(isInverted ? Opcode.IFEQ : Opcode.IFNE, target);
            }
            default -> {
                compareUnsigned(i);
                code.branch(comparison(operation == BpfOpcode.JGT, isInverted), target);
            }
        }
        continueAt(isInverted ? ifTrue : ifFalse, i);
    }

    /**
     * Compares unsigned by adding 2^31 to both sides and comparing signed; HotSpot recognises the idiom and emits an
     * unsigned comparison.
     */
    private void compareUnsigned(int i) {
        code.loadConstant(Integer.MIN_VALUE).iadd();
        if (BpfOpcode.isOperandX(program.code(i))) {
            code.iload(X).loadConstant(Integer.MIN_VALUE).iadd();
        } else {
            code.loadConstant(program.k(i) + Integer.MIN_VALUE);
        }
    }

    private static Opcode comparison(boolean isGreater, boolean isInverted) {
        if (isGreater) {
            return isInverted ? Opcode.IF_ICMPLE : Opcode.IF_ICMPGT;
        }
        return isInverted ? Opcode.IF_ICMPLT : Opcode.IF_ICMPGE;
    }

    private void always(int i) {
        if (program.k(i) < 0) {
            code.iinc(ENTRY, 1).iload(ENTRY).loadConstant(BpfInterpreter.MAX_ROUNDS);
            code.if_icmpgt(rejected());
        }
        continueAt(i + 1 + program.k(i), i);
    }

    /** Continues at the target after instruction i; emits nothing if the target is next in this method. */
    private void continueAt(int target, int i) {
        if (target != i + 1 || target == end) {
            jump(target);
        }
    }

    private void result(int i) {
        if (program.code(i) == (BpfOpcode.RET | BpfOpcode.A)) {
            code.iload(A).ireturn();
        } else {
            code.loadConstant(program.k(i)).ireturn();
        }
    }
}
