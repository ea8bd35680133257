package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Integers with the lowest byte first, as IEEE 802.11, radiotap, WireGuard and Skinny have them. */
public final class LittleEndian {
    private static final VarHandle U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final VarHandle U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final VarHandle U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private LittleEndian() {}

    /** Reads an unsigned number of 16 bits, lowest byte first: 0 to 65535. */
    public static int u16(MemorySegment segment, long offset) {
        return (short) U16.get(segment, offset) & 0xffff;
    }

    /** Reads an unsigned number of 32 bits, lowest byte first: 0 to 2<sup>32</sup> - 1. */
    public static long u32(MemorySegment segment, long offset) {
        return (int) U32.get(segment, offset) & 0xffff_ffffL;
    }

    /** Reads 64 bits, lowest byte first; a number of 2<sup>63</sup> or more comes out negative. */
    public static long bits64(MemorySegment segment, long offset) {
        return (long) U64.get(segment, offset);
    }

    /**
     * Writes an unsigned number, lowest byte first.
     *
     * @param bits 16, 32 or 64; a value of 64 bits is taken as it is
     * @throws IllegalArgumentException naming the field, when the value needs more than 16 or 32 bits
     */
    public static void put(MemorySegment segment, long offset, int bits, String field, long value) {
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
