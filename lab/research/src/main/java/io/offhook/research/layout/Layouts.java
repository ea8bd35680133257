package io.offhook.research.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The structures of layout.c. Java's layouts are not padded automatically, so the padding is explicit. */
final class Layouts {
    static final StructLayout PADDED = MemoryLayout.structLayout(
                    JAVA_BYTE.withName("kind"),
                    MemoryLayout.paddingLayout(3),
                    JAVA_INT.withName("length"),
                    JAVA_SHORT.withName("port"),
                    MemoryLayout.paddingLayout(6),
                    JAVA_LONG.withName("timestamp"))
            .withName("padded");

    static final StructLayout PACKED = MemoryLayout.structLayout(
                    JAVA_BYTE.withName("kind"),
                    JAVA_INT_UNALIGNED.withName("length"),
                    JAVA_SHORT_UNALIGNED.withName("port"),
                    JAVA_LONG_UNALIGNED.withName("timestamp"))
            .withName("packed");

    static final StructLayout SORTED = MemoryLayout.structLayout(
                    JAVA_LONG.withName("timestamp"),
                    JAVA_INT.withName("length"),
                    JAVA_SHORT.withName("port"),
                    JAVA_BYTE.withName("kind"),
                    MemoryLayout.paddingLayout(1))
            .withName("sorted");

    /** In the machine's order, aligned. */
    static final StructLayout RECORD = record(JAVA_SHORT, JAVA_INT, JAVA_LONG);

    /** The same, without alignment. */
    static final StructLayout RECORD_ANYWHERE = record(JAVA_SHORT_UNALIGNED, JAVA_INT_UNALIGNED, JAVA_LONG_UNALIGNED);

    private Layouts() {}

    private static StructLayout record(ValueLayout port, ValueLayout length, ValueLayout timestamp) {
        return MemoryLayout.structLayout(
                        port.withName("port"),
                        MemoryLayout.paddingLayout(2),
                        length.withName("length"),
                        timestamp.withName("timestamp"))
                .withName("record");
    }

    static StructLayout record(ByteOrder order) {
        return record(JAVA_SHORT.withOrder(order), JAVA_INT.withOrder(order), JAVA_LONG.withOrder(order));
    }

    static VarHandle handle(StructLayout layout, String field) {
        return layout.varHandle(PathElement.groupElement(field));
    }
}
