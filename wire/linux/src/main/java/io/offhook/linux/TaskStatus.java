package io.offhook.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of one thread of this process in the kernel's scheduler: proc(5), the files stat, status and schedstat of
 * a task.
 *
 * @param id the id of the task, as top(1) shows it for threads
 * @param processor the processor that it ran on last
 * @param voluntarySwitches how often it gave up its processor to wait
 * @param involuntarySwitches how often its processor was taken away
 * @param ranNs the time spent running, in nanoseconds; -1 if the kernel does not account it
 * @param waitedNs the time spent runnable but without a processor, in nanoseconds; -1 if the kernel does not account it
 */
public record TaskStatus(
        int id, int processor, long voluntarySwitches, long involuntarySwitches, long ranNs, long waitedNs) {
    /** The index of the field among those after the name, the first of which is field 3. */
    private static final int PROCESSOR = 39 - 3;

    /** The id of the calling thread, which must be a platform thread. */
    public static int currentId() {
        try {
            // <process>/task/<task>
            return Integer.parseInt(Files.readSymbolicLink(Path.of("/proc/thread-self"))
                    .getFileName()
                    .toString());
        } catch (IOException e) {
            throw new IllegalStateException("/proc is not mounted; mount -t proc proc /proc", e);
        }
    }

    /** The status of a thread of this process; null if it has ended. */
    public static @Nullable TaskStatus of(int id) {
        Path folder = Path.of("/proc/self/task", Integer.toString(id));
        try {
            String stat = read(folder.resolve("stat"));
            // the name before the fields may contain spaces and brackets
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            String status = read(folder.resolve("status"));
            long[] times = times(folder.resolve("schedstat"));
            return new TaskStatus(
                    id,
                    Integer.parseInt(fields[PROCESSOR].strip()),
                    number(status, "\nvoluntary_ctxt_switches:"),
                    number(status, "\nnonvoluntary_ctxt_switches:"),
                    times[0],
                    times[1]);
        } catch (IOException e) {
            return null;
        }
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    private static long number(String status, String name) {
        int begin = status.indexOf(name);
        if (begin < 0) {
            return 0;
        }
        begin += name.length();
        return Long.parseLong(
                status.substring(begin, status.indexOf('\n', begin)).strip());
    }

    private static long[] times(Path schedstat) throws IOException {
        if (!Files.exists(schedstat)) {
            return new long[] {-1, -1};
        }
        String[] fields = read(schedstat).strip().split(" ", -1);
        return new long[] {Long.parseLong(fields[0]), Long.parseLong(fields[1])};
    }
}
