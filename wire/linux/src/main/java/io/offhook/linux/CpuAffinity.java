package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.offhook.linux.libc.Sched;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * The processors that the calling thread may run on, and the one it runs on: sched_setaffinity(2). For platform threads
 * only.
 */
public final class CpuAffinity {
    /** The size of a mask for 8,192 processors. */
    private static final int MASK_BYTES = 1024;

    private CpuAffinity() {}

    /** The processors that the calling thread may run on, in ascending order. */
    public static int[] processors() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            LinuxException.check(Sched.getAffinity(mask), "sched_getaffinity");
            return IntStream.range(0, MASK_BYTES * 8)
                    .filter(i -> (mask.get(JAVA_BYTE, i / 8) >>> i % 8 & 1) != 0)
                    .toArray();
        }
    }

    /**
     * Restricts the calling thread, and threads that it starts later, to one processor.
     *
     * @param processor the number of the processor, from 0
     * @throws LinuxException EINVAL if the processor does not exist, or this process may not use it
     */
    public static void pin(int processor) {
        if (processor < 0 || processor >= MASK_BYTES * 8) {
            throw new IllegalArgumentException("processor " + processor + " is outside 0 to " + (MASK_BYTES * 8 - 1));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            mask.set(JAVA_BYTE, processor / 8, (byte) (1 << processor % 8));
            LinuxException.check(Sched.setAffinity(mask), "sched_setaffinity to processor " + processor);
        }
    }

    /**
     * Parses a list in the format of the kernel and taskset(1): {@code 0-3,8}.
     *
     * @return the processors in the order of the text, without repetitions
     * @throws IllegalArgumentException if the text is not a list of processors, or a number is out of range
     */
    public static int[] parse(String list) {
        IntStream.Builder processors = IntStream.builder();
        for (String part : list.split(",", -1)) {
            if (!part.matches("[0-9]{1,4}(-[0-9]{1,4})?")) {
                throw new IllegalArgumentException("\"" + list + "\" is not a list of processors such as 0-3,8");
            }
            int dash = part.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
            int last = Integer.parseInt(part.substring(dash + 1));
            if (last < first || last >= MASK_BYTES * 8) {
                throw new IllegalArgumentException(
                        "processors " + part + " are outside 0 to " + (MASK_BYTES * 8 - 1) + ", or not ascending");
            }
            IntStream.rangeClosed(first, last).forEach(processors);
        }
        return processors.build().distinct().toArray();
    }

    /** The processor that the calling thread currently runs on. */
    public static int current() {
        return LinuxException.check(Sched.getCpu(), "sched_getcpu");
    }
}
