package io.offhook.filter;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a classic BPF program to a hidden class, which contains only the program's code and is unloaded once its
 * single instance is unreachable. Instances have no state and may be used by any number of threads.
 *
 * <p>HotSpot does not compile methods of more than 8,000 bytes. A long program therefore becomes several methods, each
 * of which ends with a call to the next. Programs of more than {@link #MAX_LENGTH} instructions, and loops that do not
 * fit into one method, are left to the interpreter.
 */
final class BpfCompiler {
    /**
     * The longest program that is compiled, in instructions: about 50 methods, and a constant pool that holds all
     * constants.
     */
    static final int MAX_LENGTH = 16_384;

    /** HotSpot's HugeMethodLimit, in bytes. */
    static final int MAX_METHOD_BYTES = 8_000;

    /** Instructions per method; most compile to 10 to 20 bytes. */
    private static final int PART_LENGTH = 320;

    private static final int SMALLEST_PART_LENGTH = 20;

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private BpfCompiler() {}

    /** Compiles the program; null if it must be interpreted. */
    static @Nullable PacketFilter compile(BpfProgram program) {
        byte[] classFile = classFile(program);
        return classFile == null ? null : define(classFile);
    }

    static PacketFilter define(byte[] classFile) {
        try {
            Class<?> type = LOOKUP.defineHiddenClass(classFile, true).lookupClass();
            return (PacketFilter) type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("internal error: the class generated for a filter does not load", e);
        }
    }

    /** The bytes of a class whose methods HotSpot would all compile; null if there is no such class. */
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

    /** The size of the code of the largest method, in bytes. */
    static int largestMethod(byte[] classFile) {
        if (classFile.length <= MAX_METHOD_BYTES) {
            return classFile.length; // the file includes all code: no need to measure further
        }
        int largest = 0;
        for (MethodModel method : ClassFile.of().parse(classFile).methods()) {
            CodeAttribute code = method.findAttribute(Attributes.code()).orElseThrow();
            largest = Math.max(largest, code.codeLength());
        }
        return largest;
    }
}
