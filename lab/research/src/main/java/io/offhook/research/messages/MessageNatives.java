package io.offhook.research.messages;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.research.NativeCode;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The functions of src/main/native/messages. */
final class MessageNatives {
    private static final NativeCode CODE = new NativeCode("messages");
    private static final FunctionDescriptor FLAT_TYPE = FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG);
    private static final MethodHandle FLAT = CODE.downcall("offhook_message_flat", FLAT_TYPE);
    private static final MethodHandle FLAT_CRITICAL =
            CODE.downcall("offhook_message_flat", FLAT_TYPE, Linker.Option.critical(false));
    private static final MethodHandle FLAT_LAYOUT =
            CODE.downcall("offhook_message_flat_layout", FunctionDescriptor.ofVoid(ADDRESS));

    static {
        CODE.load();
        remember(Message.class);
    }

    private MessageNatives() {}

    /** Makes native code read the object's fields. */
    static native long hash(Message message);

    private static native void remember(Class<Message> message);

    /** Makes native code read the output of a {@link FlatWriter}; returns 0 if it is invalid. */
    static long hashFlat(MemorySegment segment, long lengthBytes) {
        try {
            return (long) FLAT.invokeExact(segment, lengthBytes);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Like {@link #hashFlat}, by a critical call. */
    static long hashFlatCritical(MemorySegment segment, long lengthBytes) {
        try {
            return (long) FLAT_CRITICAL.invokeExact(segment, lengthBytes);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fills in the compiler's offsets of the six fields, and the size of their structure: seven longs. */
    static void flatLayout(MemorySegment layout) {
        try {
            FLAT_LAYOUT.invokeExact(layout);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
