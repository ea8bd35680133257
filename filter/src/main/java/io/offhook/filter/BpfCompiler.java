package io.offhook.filter;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Makes a class of a classic-BPF program: hidden, with nothing but its code, and garbage as soon as nobody has its one
 * instance any more. It has no state, so any number of threads may use it.
 *
 * <p>HotSpot compiles no method of more than 8,000 bytes. A long program becomes several methods, each of which ends in a
 * call to that which goes on; beyond {@link #MAX_LENGTH} instructions, or where a loop does not fit into one method, it is
 * left to the interpreter.
 */
final class BpfCompiler {
    /** The most instructions that are compiled: some 50 methods, and a constant pool that holds all constants. */
    static final int MAX_LENGTH = 16_384;

    /** HotSpot's HugeMethodLimit. */
    static final int MAX_METHOD_BYTES = 8_000;

    /** Instructions a method; most take 10 to 20 bytes. */
    private static final int PART_LENGTH = 320;

    private static final int SMALLEST_PART_LENGTH = 20;

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private BpfCompiler() {}

    /** The program as a class; null where it is one for the interpreter. */
    static @Nullable PacketFilter compile(BpfProgram program) {
        byte[] classFile = classFile(program);
        return classFile == null ? null : define(classFile);
    }

    static PacketFilter define(byte[] classFile) {
        try {
            Class<?> type = LOOKUP.defineHiddenClass(classFile, true).lookupClass();
            return (PacketFilter) type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a class made of a filter cannot be used", e);
        }
    }

    /** The bytes of the class, all methods of which HotSpot would compile; null where there is no such. */
    static byte @Nullable [] classFile(BpfProgram program) {
        if (program.length() > MAX_LENGTH) {
            return null;
        }
        BpfBounds bounds = new BpfBounds(program);
        for (int length = PART_LENGTH; length >= SMALLEST_PART_LENGTH; length /= 2) {
            if (program.hasLoop() && program.length() > length) {
                return null;
            }
            byte[] classFile = new BpfBytecode(program, bounds, length).classFile();
            if (largestMethod(classFile) <= MAX_METHOD_BYTES) {
                return classFile;
            }
        }
        return null;
    }

    /** Bytes of the code of the largest method. */
    static int largestMethod(byte[] classFile) {
        if (classFile.length <= MAX_METHOD_BYTES) {
            return classFile.length; // it has more than code: no need to look
        }
        int largest = 0;
        for (MethodModel method : ClassFile.of().parse(classFile).methods()) {
            CodeAttribute code = method.findAttribute(Attributes.code()).orElseThrow();
            largest = Math.max(largest, code.codeLength());
        }
        return largest;
    }
}
