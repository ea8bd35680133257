package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where drivers store the timestamp of a packet: a dynamic field, whose offset is assigned on the first request. */
final class RxTimestamps {
    private static final int OFFSET;
    private static final long FLAG;

    static {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment offset = arena.allocate(JAVA_INT);
            MemorySegment flag = arena.allocate(JAVA_LONG);
            // without room for it, no mbuf has a timestamp
            boolean has = RteMbuf.rxTimestampRegister(offset, flag) == 0;
            OFFSET = has ? offset.get(JAVA_INT, 0) : 0;
            FLAG = has ? flag.get(JAVA_LONG, 0) : 0;
        }
    }

    private RxTimestamps() {}

    /** Returns the offset in an mbuf, in bytes. */
    static int offset() {
        return OFFSET;
    }

    /** Returns the bit of the flags for a valid timestamp; 0 if there is no room for timestamps. */
    static long flag() {
        return FLAG;
    }
}
