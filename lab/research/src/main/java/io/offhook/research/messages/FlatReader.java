package io.offhook.research.messages;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;

/** Reads what a {@link FlatWriter} wrote to a segment back into objects; a length that cannot be is an exception. */
final class FlatReader {
    private static final long RATIO = FlatWriter.HEADER.byteOffset(groupElement("ratio"));
    private static final long NUMBER = FlatWriter.HEADER.byteOffset(groupElement("number"));
    private static final long FLAG = FlatWriter.HEADER.byteOffset(groupElement("flag"));
    private static final long TEXT = FlatWriter.HEADER.byteOffset(groupElement("text"));
    private static final long NAMES = FlatWriter.HEADER.byteOffset(groupElement("names"));
    private static final long NUMBERS = FlatWriter.HEADER.byteOffset(groupElement("numbers"));
    private static final int SPAN_BYTES = 8;
    private static final int COUNT = 4;

    private final MemorySegment segment;

    FlatReader(MemorySegment segment) {
        this.segment = segment;
    }

    /** @throws IndexOutOfBoundsException when a part is not inside the segment */
    Message read() {
        int[] numbers = new int[count(NUMBERS, Integer.BYTES)];
        MemorySegment.copy(segment, JAVA_INT, offset(NUMBERS), numbers, 0, numbers.length);
        String[] names = new String[count(NAMES, SPAN_BYTES)];
        int name = offset(NAMES);
        for (int i = 0; i < names.length; i++) {
            names[i] = string(name + (long) i * SPAN_BYTES);
        }
        return new Message(
                string(TEXT),
                segment.get(JAVA_INT, NUMBER),
                segment.get(JAVA_DOUBLE, RATIO),
                segment.get(JAVA_BOOLEAN, FLAG),
                names,
                numbers);
    }

    private int offset(long span) {
        return segment.get(JAVA_INT, span);
    }

    /** Before there is an array of that length, it must be one that the segment can hold. */
    private int count(long span, int size) {
        int count = segment.get(JAVA_INT, span + COUNT);
        if (count < 0 || (long) count * size > segment.byteSize()) {
            throw new IndexOutOfBoundsException(count + " elements are not inside " + segment.byteSize() + " bytes");
        }
        return count;
    }

    private String string(long span) {
        byte[] bytes = new byte[count(span, 1)];
        MemorySegment.copy(segment, JAVA_BYTE, offset(span), bytes, 0, bytes.length);
        return new String(bytes, UTF_8);
    }
}
