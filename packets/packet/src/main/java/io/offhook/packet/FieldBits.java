package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** Writes fields of headers, whose first bit is the highest of their first byte, after a look at their range. */
public final class FieldBits {
    private FieldBits() {}

    /**
     * Writes an unsigned number and leaves the bits around it as they are.
     *
     * @param header where the header starts
     * @param bit of the field's first bit, from there
     * @param bits its width, 1 to 48
     * @throws IllegalArgumentException if the value needs more bits
     */
    public static void put(MemorySegment segment, long header, int bit, int bits, String field, long value) {
        checkRange(field, value, bits);
        long at = header + (bit >>> 3);
        int left = bits;
        int lead = bit & 7;
        while (left > 0) {
            int here = Math.min(8 - lead, left);
            int shift = 8 - lead - here;
            int mask = (1 << here) - 1 << shift;
            int part = (int) (value >>> left - here) << shift & mask;
            int others = here == 8 ? 0 : NetworkOrder.u8(segment, at) & ~mask;
            NetworkOrder.putU8(segment, at, others | part);
            left -= here;
            lead = 0;
            at++;
        }
    }

    /**
     * Writes one bit and leaves those around it as they are.
     *
     * @param header where the header starts
     * @param bit of the field, from there; 0 is the highest bit of the first byte
     */
    public static void put(MemorySegment segment, long header, int bit, boolean value) {
        long at = header + (bit >>> 3);
        int mask = 0x80 >>> (bit & 7);
        int others = NetworkOrder.u8(segment, at) & ~mask;
        NetworkOrder.putU8(segment, at, value ? others | mask : others);
    }

    /**
     * Checks that a value is an unsigned number of so many bits.
     *
     * @param bits 1 to 63
     * @throws IllegalArgumentException naming field, value and limit, when the value needs more bits or is negative
     */
    public static void checkRange(String field, long value, int bits) {
        FieldRange.check(field, value, (1L << bits) - 1);
    }
}
