package io.offhook.research.threads;

import io.offhook.linux.CpuAffinity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Where two threads run.
 *
 * @param words its description
 * @param first the processor of the first thread, or {@link #ANYWHERE}
 * @param second that of the second thread
 */
record Placement(String words, int first, int second) {
    /** Wherever the scheduler puts it. */
    static final int ANYWHERE = -1;

    static final Placement FREE = new Placement("free", ANYWHERE, ANYWHERE);

    /** Returns the placements that this machine supports, and adds a remark for each that it does not. */
    static List<Placement> all(List<String> remarks) {
        String system = System.getProperty("os.name");
        if (!system.equals("Linux")) {
            remarks.add("Pinned threads were not measured: " + system + " has no sched_setaffinity.");
            return List.of(FREE);
        }
        int[] processors = CpuAffinity.processors();
        int first = processors[0];
        List<Placement> all = new ArrayList<>(List.of(FREE, new Placement("pinned to the same core", first, first)));
        List<Integer> siblings = siblings(first);
        int sibling = ANYWHERE;
        int other = ANYWHERE;
        for (int processor : processors) {
            if (processor != first && siblings.contains(processor)) {
                sibling = sibling == ANYWHERE ? processor : sibling;
            } else if (processor != first) {
                other = other == ANYWHERE ? processor : other;
            }
        }
        if (sibling == ANYWHERE) {
            remarks.add("Processor " + first + " has its core for itself: the two hardware threads of one core were not"
                    + " measured.");
        } else {
            all.add(new Placement("pinned to hardware threads of a core", first, sibling));
        }
        if (other == ANYWHERE) {
            remarks.add("There is one core only: two were not measured.");
        } else {
            all.add(new Placement("pinned to two cores", first, other));
        }
        return all;
    }

    /** Returns the hardware threads of a processor's core; only the processor if they are unknown. */
    private static List<Integer> siblings(int processor) {
        Path list = Path.of("/sys/devices/system/cpu/cpu" + processor + "/topology/thread_siblings_list");
        try {
            return parsed(Files.readString(list).strip());
        } catch (IOException e) {
            return List.of(processor);
        }
    }

    /** "0,4" or "0-3,8". */
    static List<Integer> parsed(String list) {
        List<Integer> all = new ArrayList<>();
        for (String range : list.split(",", -1)) {
            String[] ends = range.split("-", 2);
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int i = Integer.parseInt(ends[0]); i <= last; i++) {
                all.add(i);
            }
        }
        return all;
    }

    /** Returns it as one word, the argument of a process or a benchmark. */
    String argument() {
        return words.replace(' ', '_') + ":" + first + ":" + second;
    }

    static Placement of(String argument) {
        String[] parts = argument.split(":", 3);
        return new Placement(parts[0].replace('_', ' '), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    /**
     * Pins the calling thread to its processor.
     *
     * @param thread 0 for the first, 1 for the second
     */
    void pin(int thread) {
        int processor = Objects.checkIndex(thread, 2) == 0 ? first : second;
        if (processor != ANYWHERE) {
            CpuAffinity.pin(processor);
        }
    }
}
