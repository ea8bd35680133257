package io.offhook.forward;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/** Bytes of packets, by their address. */
final class Bytes {
    private Bytes() {}

    static void put(byte[] bytes, long address) {
        MemorySegment.copy(bytes, 0, Burst.everything(), JAVA_BYTE, address, bytes.length);
    }

    static byte[] get(long address, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(Burst.everything(), JAVA_BYTE, address, bytes, 0, length);
        return bytes;
    }

    static void copy(long from, long to, int length) {
        MemorySegment.copy(Burst.everything(), from, Burst.everything(), to, length);
    }
}
