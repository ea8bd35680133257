package io.offhook.research.language;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/** The packets of a round in native memory, as {@code struct packet} of language.c has them. */
final class NativePackets {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    JAVA_LONG.withName("product"),
                    JAVA_LONG.withName("timestamp"),
                    JAVA_INT.withName("captured"),
                    JAVA_INT.withName("wire"),
                    JAVA_SHORT.withName("port"),
                    JAVA_BYTE.withName("ttl"),
                    MemoryLayout.paddingLayout(5))
            .withName("packet");
    static final long SIZE = LAYOUT.byteSize();

    private static final VarHandle PRODUCT = field("product");
    private static final VarHandle TIMESTAMP = field("timestamp");
    private static final VarHandle CAPTURED = field("captured");
    private static final VarHandle WIRE = field("wire");
    private static final VarHandle PORT = field("port");
    private static final VarHandle TTL = field("ttl");

    final MemorySegment segment;
    private final int count;

    NativePackets(int count) {
        this.count = count;
        segment = Arena.global().allocate(LAYOUT, count);
    }

    private static VarHandle field(String name) {
        return LAYOUT.varHandle(PathElement.groupElement(name));
    }

    /** Sets five fields, multiplies them, and stores the product. */
    static void set(MemorySegment segment, long packet, long[] draws, long at) {
        TIMESTAMP.set(segment, packet, draws[Draws.index(at)]);
        CAPTURED.set(segment, packet, (int) draws[Draws.index(at + 1)]);
        WIRE.set(segment, packet, (int) draws[Draws.index(at + 2)]);
        PORT.set(segment, packet, (short) draws[Draws.index(at + 3)]);
        TTL.set(segment, packet, (byte) draws[Draws.index(at + 4)]);
        long product = (long) TIMESTAMP.get(segment, packet)
                * Integer.toUnsignedLong((int) CAPTURED.get(segment, packet))
                * Integer.toUnsignedLong((int) WIRE.get(segment, packet))
                * Short.toUnsignedLong((short) PORT.get(segment, packet))
                * Byte.toUnsignedLong((byte) TTL.get(segment, packet));
        PRODUCT.set(segment, packet, product);
    }

    /** Returns the same as {@link JavaPacket#digest} over all packets. */
    long digest() {
        long hash = 0;
        for (int i = 0; i < count; i++) {
            long at = i * SIZE;
            hash = 31 * hash + (long) PRODUCT.get(segment, at);
            hash = 31 * hash + (long) TIMESTAMP.get(segment, at);
            hash = 31 * hash + (int) CAPTURED.get(segment, at);
            hash = 31 * hash + (int) WIRE.get(segment, at);
            hash = 31 * hash + (short) PORT.get(segment, at);
            hash = 31 * hash + (byte) TTL.get(segment, at);
        }
        return hash;
    }
}
