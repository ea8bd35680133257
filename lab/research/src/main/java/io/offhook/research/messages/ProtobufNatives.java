package io.offhook.research.messages;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.research.NativeCode;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The functions of src/main/native/messages-protobuf; each returns 0 if protobuf cannot parse its input. */
final class ProtobufNatives {
    private static final NativeCode CODE = new NativeCode("messages-protobuf");
    private static final FunctionDescriptor PARSE_TYPE = FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT);
    private static final MethodHandle PARSE = CODE.downcall("offhook_message_protobuf", PARSE_TYPE);
    private static final MethodHandle PARSE_HEAP =
            CODE.downcall("offhook_message_protobuf", PARSE_TYPE, Linker.Option.critical(true));

    static {
        CODE.load();
    }

    private ProtobufNatives() {}

    /** Through JNI. */
    static native long hash(byte[] serialized);

    /** Through FFM, with a native segment. */
    static long hash(MemorySegment segment, int lengthBytes) {
        try {
            return (long) PARSE.invokeExact(segment, lengthBytes);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Through FFM, by a critical call, which accepts the segment of an array. */
    static long hashCritical(MemorySegment segment, int lengthBytes) {
        try {
            return (long) PARSE_HEAP.invokeExact(segment, lengthBytes);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
