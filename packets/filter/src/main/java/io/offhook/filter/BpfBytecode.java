package io.offhook.filter;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import io.offhook.packet.NetworkOrder;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Generates the class file of a program: method {@code match} for its first instructions, and one method for each
 * further part. {@link BpfMethod} translates the instructions.
 *
 * <p>Registers and memory words are local variables. A part takes all of them, and the instruction to begin at, as
 * arguments; it returns the result of the program.
 */
final class BpfBytecode {
    static final ClassDesc THIS = ClassDesc.of("io.offhook.filter.CompiledFilter");
    static final ClassDesc NETWORK_ORDER =
            NetworkOrder.class.describeConstable().orElseThrow();

    private static final ClassDesc FILTER =
            PacketFilter.class.describeConstable().orElseThrow();
    private static final ClassDesc SEGMENT =
            MemorySegment.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc MATCH = MethodTypeDesc.of(CD_int, SEGMENT, CD_long, CD_int, CD_int);

    /** The type of a read method of {@link NetworkOrder}. */
    static final MethodTypeDesc READ = MethodTypeDesc.of(CD_int, SEGMENT, CD_long);

    private final BpfProgram program;
    private final BpfBounds bounds;
    private final int partLength;
    private final int memoryWords;

    /** @param partLength instructions per method */
    BpfBytecode(BpfProgram program, BpfBounds bounds, int partLength) {
        this.program = program;
        this.bounds = bounds;
        this.partLength = partLength;
        int words = 0;
        for (int i = 0; i < program.length(); i++) {
            if (BpfOpcode.isMemoryAccess(program.code(i))) {
                words = Math.max(words, program.k(i) + 1);
            }
        }
        memoryWords = words;
    }

    byte[] classFile() {
        return ClassFile.of().build(THIS, this::addTo);
    }

    private void addTo(ClassBuilder type) {
        type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
        type.withInterfaceSymbols(FILTER);
        type.withMethodBody(
                INIT_NAME,
                MTD_void,
                0,
                code -> code.aload(0)
                        .invokespecial(ConstantDescs.CD_Object, INIT_NAME, MTD_void)
                        .return_());
        for (int part = 0; part * partLength < program.length(); part++) {
            int first = part * partLength;
            if (part == 0) {
                type.withMethodBody("match", MATCH, ClassFile.ACC_PUBLIC, code -> {
                    clearRegisters(code);
                    method(code, first).write();
                });
            } else {
                type.withMethodBody(
                        partName(part),
                        partType(),
                        ClassFile.ACC_PRIVATE,
                        code -> method(code, first).write());
            }
        }
    }

    private void clearRegisters(CodeBuilder code) {
        for (int i = 0; i < BpfMethod.MEMORY - BpfMethod.A + memoryWords; i++) {
            code.iconst_0().istore(BpfMethod.A + i);
        }
    }

    private BpfMethod method(CodeBuilder code, int first) {
        return new BpfMethod(program, bounds, this, code, first, Math.min(first + partLength, program.length()));
    }

    int memoryWords() {
        return memoryWords;
    }

    /** The name of the method that contains the instruction. */
    String partNameOf(int instruction) {
        return partName(instruction / partLength);
    }

    private static String partName(int part) {
        return "part" + part;
    }

    /** The type of a part: the parameters of match, then A, X, the instruction to begin at and the memory words. */
    MethodTypeDesc partType() {
        List<ClassDesc> parameters = new ArrayList<>(MATCH.parameterList());
        parameters.addAll(Collections.nCopies(BpfMethod.MEMORY - BpfMethod.A + memoryWords, CD_int));
        return MethodTypeDesc.of(CD_int, parameters);
    }
}
