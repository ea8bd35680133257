package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Integers in network byte order (big-endian, RFC 1700), read and written at base + offset, aligned or not.
 *
 * <p>8 and 16 bits come back as an unsigned {@code int}, 32 bits as an unsigned {@code long}, 64 bits as they are. The
 * caller has checked the bounds (a view's {@code wrap}); a fault in that is an {@link IndexOutOfBoundsException}, never
 * a wild read. Only native segments are used on hot paths: once a site has seen a heap segment too, a read there costs
 * ten times as much.
 */
public final class NetworkOrder {
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private NetworkOrder() {}

    public static int u8(MemorySegment segment, long offset) {
        return segment.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
    }

    public static int u16(MemorySegment segment, long offset) {
        return segment.get(U16, offset) & 0xffff;
    }

    /** 24 bits, as VXLAN, MPLS and WebSocket carry them. */
    public static int u24(MemorySegment segment, long offset) {
        return u16(segment, offset) << 8 | u8(segment, offset + 2);
    }

    public static long u32(MemorySegment segment, long offset) {
        return segment.get(U32, offset) & 0xffff_ffffL;
    }

    /** 48 bits, as a MAC address has, in the low end. */
    public static long u48(MemorySegment segment, long offset) {
        return (long) u16(segment, offset) << 32 | u32(segment, offset + 2);
    }

    /** The 32 bits as they are: for comparing and hashing, where the sign means nothing. */
    public static int bits32(MemorySegment segment, long offset) {
        return segment.get(U32, offset);
    }

    /** The 64 bits as they are: half an IPv6 address, an NTP timestamp. */
    public static long bits64(MemorySegment segment, long offset) {
        return segment.get(U64, offset);
    }

    public static void putU8(MemorySegment segment, long offset, int value) {
        segment.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }

    public static void putU16(MemorySegment segment, long offset, int value) {
        segment.set(U16, offset, (short) value);
    }

    public static void putU32(MemorySegment segment, long offset, long value) {
        segment.set(U32, offset, (int) value);
    }

    public static void putBits64(MemorySegment segment, long offset, long value) {
        segment.set(U64, offset, value);
    }
}
