package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Integers in network byte order (big-endian, RFC 1700), read and written at base + offset, aligned or not.
 *
 * <p>8 and 16 bits come back as an unsigned {@code int}, 32 bits as an unsigned {@code long}, 64 bits as they are. The
 * caller has checked the bounds (a view's {@code wrap}); a fault in that is an {@link IndexOutOfBoundsException}, never
 * a wild read. Only native segments are used on hot paths: once a site has seen a heap segment too, a read there costs
 * ten times as much, and as soon as a process has made one, all code of HotSpot's first compiler is a quarter slower.
 *
 * <p>The handles are used as they are: a layout's {@code get} would ask the layout for them each time, which costs half
 * as much again before code is compiled well.
 */
public final class NetworkOrder {
    private static final VarHandle U8 = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    private static final VarHandle U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    private static final VarHandle U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN).varHandle();

    private NetworkOrder() {}

    /** A byte. */
    public static int u8(MemorySegment segment, long offset) {
        return (byte) U8.get(segment, offset) & 0xff;
    }

    /** Two bytes, the highest first. */
    public static int u16(MemorySegment segment, long offset) {
        return (short) U16.get(segment, offset) & 0xffff;
    }

    /** 24 bits, as VXLAN, MPLS and WebSocket carry them. */
    public static int u24(MemorySegment segment, long offset) {
        return u16(segment, offset) << 8 | u8(segment, offset + 2);
    }

    /** Four bytes, the highest first. */
    public static long u32(MemorySegment segment, long offset) {
        return (int) U32.get(segment, offset) & 0xffff_ffffL;
    }

    /** 48 bits, as a MAC address has, in the low end. */
    public static long u48(MemorySegment segment, long offset) {
        return (long) u16(segment, offset) << 32 | u32(segment, offset + 2);
    }

    /** The 32 bits as they are: for comparing and hashing, where the sign means nothing. */
    public static int bits32(MemorySegment segment, long offset) {
        return (int) U32.get(segment, offset);
    }

    /** The 64 bits as they are: half an IPv6 address, an NTP timestamp. */
    public static long bits64(MemorySegment segment, long offset) {
        return (long) U64.get(segment, offset);
    }

    /** Writes a byte; higher bits of the value are not looked at. */
    public static void putU8(MemorySegment segment, long offset, int value) {
        U8.set(segment, offset, (byte) value);
    }

    /** Writes two bytes, the highest first; higher bits of the value are not looked at. */
    public static void putU16(MemorySegment segment, long offset, int value) {
        U16.set(segment, offset, (short) value);
    }

    /** Writes three bytes, the highest first; higher bits of the value are not looked at. */
    public static void putU24(MemorySegment segment, long offset, int value) {
        putU16(segment, offset, value >>> 8);
        putU8(segment, offset + 2, value);
    }

    /** Writes four bytes, the highest first; higher bits of the value are not looked at. */
    public static void putU32(MemorySegment segment, long offset, long value) {
        U32.set(segment, offset, (int) value);
    }

    /** Writes six bytes, the highest first; higher bits of the value are not looked at. */
    public static void putU48(MemorySegment segment, long offset, long value) {
        putU16(segment, offset, (int) (value >>> 32));
        putU32(segment, offset + 2, value);
    }

    /** Writes eight bytes, the highest first. */
    public static void putBits64(MemorySegment segment, long offset, long value) {
        U64.set(segment, offset, value);
    }
}
