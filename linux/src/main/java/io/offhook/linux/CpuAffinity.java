package io.offhook.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/** Which processors the calling thread may run on, and which it runs on: sched_setaffinity(2). For platform threads only. */
public final class CpuAffinity {
    /** For 8,192 processors. */
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
     * Lets the calling thread, and those that it will start, run on one processor only.
     *
     * @param processor from 0
     * @throws LinuxException EINVAL where there is no such processor, or it is not this process's to use
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
     * Reads a list as the kernel and taskset(1) write it: {@code 0-3,8}.
     *
     * @return the processors in the order of the text, each once
     * @throws IllegalArgumentException where it is none
     */
    public static int[] parse(String list) {
        IntStream.Builder processors = IntStream.builder();
        for (String part : list.split(",", -1)) {
            if (!part.matches("[0-9]{1,4}(-[0-9]{1,4})?")) {
                throw new IllegalArgumentException("\"" + list + "\" is no list of processors; 0-3,8 is");
            }
            int dash = part.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
            int last = Integer.parseInt(part.substring(dash + 1));
            if (last < first || last >= MASK_BYTES * 8) {
                throw new IllegalArgumentException(
                        "processors " + part + " are outside 0 to " + (MASK_BYTES * 8 - 1) + ", or in the wrong order");
            }
            IntStream.rangeClosed(first, last).forEach(processors);
        }
        return processors.build().distinct().toArray();
    }

    /** The processor that the calling thread runs on just now. */
    public static int current() {
        return LinuxException.check(Sched.getCpu(), "sched_getcpu");
    }
}
