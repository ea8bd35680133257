package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where drivers put the time of a packet: a dynamic field, whose place is given out when it is first asked for. */
final class RxTimestamps {
    private static final int OFFSET;
    private static final long FLAG;

    static {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment offset = arena.allocate(JAVA_INT);
            MemorySegment flag = arena.allocate(JAVA_LONG);
            // without a place, no mbuf has a time
            boolean has = RteMbuf.rxTimestampRegister(offset, flag) == 0;
            OFFSET = has ? offset.get(JAVA_INT, 0) : 0;
            FLAG = has ? flag.get(JAVA_LONG, 0) : 0;
        }
    }

    private RxTimestamps() {}

    /** In an mbuf, in bytes. */
    static int offset() {
        return OFFSET;
    }

    /** The bit of the flags that says it is there; 0 where there is no room for times. */
    static long flag() {
        return FLAG;
    }
}
