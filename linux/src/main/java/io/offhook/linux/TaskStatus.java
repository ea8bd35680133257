package io.offhook.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A thread of this process as the kernel's scheduler sees it at the time of asking: proc(5), the files stat, status and
 * schedstat of a task.
 *
 * @param id of the task, as top(1) shows it for threads
 * @param processor that it ran on last
 * @param voluntarySwitches how often it gave its processor away: it waited for something
 * @param involuntarySwitches how often its processor was taken from it
 * @param ranNs time that it ran, in nanoseconds; -1 where the kernel does not count
 * @param waitedNs time that it could have run and had no processor, in nanoseconds; -1 where the kernel does not count
 */
public record TaskStatus(
        int id, int processor, long voluntarySwitches, long involuntarySwitches, long ranNs, long waitedNs) {
    /** Of the fields of stat behind the name, the first of which is the third of all. */
    private static final int PROCESSOR = 39 - 3;

    /** The id of the calling thread, a platform thread's. */
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

    /** That of a thread of this process, or null where it has ended. */
    public static @Nullable TaskStatus of(int id) {
        Path folder = Path.of("/proc/self/task", Integer.toString(id));
        try {
            String stat = read(folder.resolve("stat"));
            // the name before may have spaces and brackets
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
