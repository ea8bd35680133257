package io.offhook.forward;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/** Copies bytes of packets by address. */
public final class Bytes {
    private Bytes() {}

    /** Copies all of {@code bytes} to memory at {@code address}. */
    public static void put(byte[] bytes, long address) {
        MemorySegment.copy(bytes, 0, Burst.everything(), JAVA_BYTE, address, bytes.length);
    }

    /** A copy of the {@code length} bytes in memory at {@code address}. */
    public static byte[] get(long address, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(Burst.everything(), JAVA_BYTE, address, bytes, 0, length);
        return bytes;
    }

    /** Copies {@code length} bytes in memory from one address to another; the two stretches may overlap. */
    public static void copy(long from, long to, int length) {
        MemorySegment.copy(Burst.everything(), from, Burst.everything(), to, length);
    }
}
