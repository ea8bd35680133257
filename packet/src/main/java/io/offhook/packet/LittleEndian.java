package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Integers with the lowest byte first, as IEEE 802.11, radiotap, WireGuard and Skinny have them. */
final class LittleEndian {
    private static final VarHandle U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final VarHandle U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final VarHandle U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private LittleEndian() {}

    static int u16(MemorySegment segment, long offset) {
        return (short) U16.get(segment, offset) & 0xffff;
    }

    static long u32(MemorySegment segment, long offset) {
        return (int) U32.get(segment, offset) & 0xffff_ffffL;
    }

    static long bits64(MemorySegment segment, long offset) {
        return (long) U64.get(segment, offset);
    }

    /** @param bits 16, 32 or 64; a value of 64 bits is taken as it is */
    static void put(MemorySegment segment, long offset, int bits, String field, long value) {
        switch (bits) {
            case 16 -> {
                FieldBits.checkRange(field, value, 16);
                U16.set(segment, offset, (short) value);
            }
            case 32 -> {
                FieldBits.checkRange(field, value, 32);
                U32.set(segment, offset, (int) value);
            }
            default -> U64.set(segment, offset, value);
        }
    }
}
