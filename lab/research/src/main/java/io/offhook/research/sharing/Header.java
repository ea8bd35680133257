package io.offhook.research.sharing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** An IPv4 header without options and a UDP header, as {@code struct header} of sharing.c. */
final class Header {
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    JAVA_BYTE.withName("version_words"),
                    JAVA_BYTE.withName("traffic_class"),
                    u16("total_length"),
                    u16("identification"),
                    u16("flags_offset"),
                    JAVA_BYTE.withName("ttl"),
                    JAVA_BYTE.withName("protocol"),
                    u16("checksum"),
                    u32("source"),
                    u32("destination"),
                    u16("source_port"),
                    u16("destination_port"),
                    u16("length"),
                    u16("udp_checksum"))
            .withName("header");
    static final long TTL = offset("ttl");
    static final long IDENTIFICATION = offset("identification");
    static final long SOURCE = offset("source");
    static final long SOURCE_PORT = offset("source_port");
    /** Where the UDP header begins. */
    static final int UDP = 20;

    private Header() {}

    private static ValueLayout u16(String name) {
        return JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN).withName(name);
    }

    private static ValueLayout u32(String name) {
        return JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).withName(name);
    }

    private static long offset(String field) {
        return LAYOUT.byteOffset(PathElement.groupElement(field));
    }

    static VarHandle handle(String field) {
        return LAYOUT.varHandle(PathElement.groupElement(field));
    }
}
