package io.offhook.research.messages;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/**
 * Writes messages as the structures of flat.c, each over the previous one: a header of fixed fields, followed by the parts
 * of variable size. A span in the header has their number of elements and their offset from the header's beginning.
 *
 * <pre>
 * header | numbers | span of each name | bytes of each name, UTF-8 | bytes of the text, UTF-8
 * </pre>
 */
final class FlatWriter {
    private static final StructLayout SPAN =
            MemoryLayout.structLayout(JAVA_INT.withName("offset"), JAVA_INT.withName("count"));
    static final StructLayout HEADER = MemoryLayout.structLayout(
            JAVA_DOUBLE.withName("ratio"),
            JAVA_INT.withName("number"),
            JAVA_BOOLEAN.withName("flag"),
            MemoryLayout.paddingLayout(3),
            SPAN.withName("text"),
            SPAN.withName("names"),
            SPAN.withName("numbers"));

    private static final VarHandle RATIO = field(HEADER, "ratio");
    private static final VarHandle NUMBER = field(HEADER, "number");
    private static final VarHandle FLAG = field(HEADER, "flag");
    private static final VarHandle OFFSET = field(SPAN, "offset");
    private static final VarHandle COUNT = field(SPAN, "count");
    private static final long TEXT = HEADER.byteOffset(groupElement("text"));
    private static final long NAMES = HEADER.byteOffset(groupElement("names"));
    private static final long NUMBERS = HEADER.byteOffset(groupElement("numbers"));
    private static final int HEADER_BYTES = (int) HEADER.byteSize();
    private static final int SPAN_BYTES = (int) SPAN.byteSize();

    private final MemorySegment segment;

    /** @param segment to write to: aligned to 8 bytes */
    FlatWriter(MemorySegment segment) {
        this.segment = segment;
    }

    private static VarHandle field(StructLayout layout, String name) {
        return layout.varHandle(groupElement(name)).withInvokeExactBehavior();
    }

    /**
     * Writes a message.
     *
     * @return its length in bytes
     * @throws IndexOutOfBoundsException when it is longer than the segment
     */
    int write(Message message) {
        RATIO.set(segment, 0L, message.ratio);
        NUMBER.set(segment, 0L, message.number);
        FLAG.set(segment, 0L, message.flag);
        int end = HEADER_BYTES;
        int[] numbers = message.numbers;
        span(NUMBERS, end, numbers.length);
        MemorySegment.copy(numbers, 0, segment, JAVA_INT, end, numbers.length);
        end += numbers.length * Integer.BYTES;
        String[] names = message.names;
        span(NAMES, end, names.length);
        int name = end;
        end += names.length * SPAN_BYTES;
        for (int i = 0; i < names.length; i++) {
            end = string(name + (long) i * SPAN_BYTES, names[i], end);
        }
        return string(TEXT, message.text, end);
    }

    private void span(long span, int offset, int count) {
        OFFSET.set(segment, span, offset);
        COUNT.set(segment, span, count);
    }

    /**
     * Writes a string's bytes and their span. It goes through an array, although that must be allocated: a loop that wrote
     * the characters to the segment was no faster, and in half of the processes three times as slow, depending on how it
     * was compiled.
     */
    private int string(long span, String string, int start) {
        byte[] bytes = string.getBytes(UTF_8);
        MemorySegment.copy(bytes, 0, segment, JAVA_BYTE, start, bytes.length);
        span(span, start, bytes.length);
        return start + bytes.length;
    }
}
