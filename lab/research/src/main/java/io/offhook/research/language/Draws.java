package io.offhook.research.language;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/**
 * Random numbers, drawn in advance: a generator in the loop would take longer than the work, and hide the difference. 8 KiB
 * of them stay in the first-level cache; each packet takes the next five, in a cycle.
 */
final class Draws {
    static final int A_PACKET = 5;

    private static final int COUNT = 1024;
    private static final long SEED = 0x0ff_400c;

    private Draws() {}

    static int index(long at) {
        return (int) at & COUNT - 1;
    }

    static long[] array() {
        return new SplittableRandom(SEED).longs(COUNT).toArray();
    }

    static MemorySegment inNativeMemory() {
        return Arena.global().allocateFrom(JAVA_LONG, array());
    }
}
