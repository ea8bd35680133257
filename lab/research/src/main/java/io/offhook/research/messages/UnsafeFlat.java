package io.offhook.research.messages;

import static io.offhook.research.TheUnsafe.UNSAFE;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import sun.misc.Unsafe;

/**
 * Writes and reads the structure of {@link FlatWriter} by {@link io.offhook.research.TheUnsafe}, at an address: the same bytes.
 * Nothing checks that they are inside the memory; what writes them must know that a message fits.
 */
@SuppressWarnings("removal")
final class UnsafeFlat {
    private static final long RATIO = FlatWriter.HEADER.byteOffset(groupElement("ratio"));
    private static final long NUMBER = FlatWriter.HEADER.byteOffset(groupElement("number"));
    private static final long FLAG = FlatWriter.HEADER.byteOffset(groupElement("flag"));
    private static final long TEXT = FlatWriter.HEADER.byteOffset(groupElement("text"));
    private static final long NAMES = FlatWriter.HEADER.byteOffset(groupElement("names"));
    private static final long NUMBERS = FlatWriter.HEADER.byteOffset(groupElement("numbers"));
    private static final int HEADER_BYTES = (int) FlatWriter.HEADER.byteSize();
    private static final int SPAN_BYTES = 8;
    private static final int COUNT = 4;

    private final long address;

    /** @param segment native, of enough bytes for each message, and alive as long as this is used */
    UnsafeFlat(MemorySegment segment) {
        address = segment.address();
    }

    /** Writes a message over the previous one; returns its length in bytes. */
    int write(Message message) {
        UNSAFE.putDouble(address + RATIO, message.ratio);
        UNSAFE.putInt(address + NUMBER, message.number);
        UNSAFE.putByte(address + FLAG, (byte) (message.flag ? 1 : 0));
        int[] numbers = message.numbers;
        int end = HEADER_BYTES;
        span(address + NUMBERS, end, numbers.length);
        long numbersBytes = (long) numbers.length * Integer.BYTES;
        UNSAFE.copyMemory(numbers, Unsafe.ARRAY_INT_BASE_OFFSET, null, address + end, numbersBytes);
        end += (int) numbersBytes;
        String[] names = message.names;
        span(address + NAMES, end, names.length);
        long name = address + end;
        end += names.length * SPAN_BYTES;
        for (int i = 0; i < names.length; i++) {
            end = string(name + (long) i * SPAN_BYTES, names[i], end);
        }
        return string(address + TEXT, message.text, end);
    }

    private static void span(long span, int offset, int count) {
        UNSAFE.putInt(span, offset);
        UNSAFE.putInt(span + COUNT, count);
    }

    private int string(long span, String string, int start) {
        byte[] bytes = string.getBytes(UTF_8);
        UNSAFE.copyMemory(bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET, null, address + start, bytes.length);
        span(span, start, bytes.length);
        return start + bytes.length;
    }

    /** Reads the message that was written last; believes every length. */
    Message read() {
        int[] numbers = new int[UNSAFE.getInt(address + NUMBERS + COUNT)];
        UNSAFE.copyMemory(
                null,
                address + UNSAFE.getInt(address + NUMBERS),
                numbers,
                Unsafe.ARRAY_INT_BASE_OFFSET,
                (long) numbers.length * Integer.BYTES);
        String[] names = new String[UNSAFE.getInt(address + NAMES + COUNT)];
        long name = address + UNSAFE.getInt(address + NAMES);
        for (int i = 0; i < names.length; i++) {
            names[i] = string(name + (long) i * SPAN_BYTES);
        }
        return new Message(
                string(address + TEXT),
                UNSAFE.getInt(address + NUMBER),
                UNSAFE.getDouble(address + RATIO),
                UNSAFE.getByte(address + FLAG) != 0,
                names,
                numbers);
    }

    private String string(long span) {
        byte[] bytes = new byte[UNSAFE.getInt(span + COUNT)];
        long from = address + UNSAFE.getInt(span);
        UNSAFE.copyMemory(null, from, bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET, bytes.length);
        return new String(bytes, UTF_8);
    }
}
