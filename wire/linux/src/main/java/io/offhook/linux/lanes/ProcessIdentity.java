package io.offhook.linux.lanes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What tells a process from another one that has its number later: proc(5), the files stat and status.
 *
 * @param process the number that it has in its own namespace, of processes in a container not that of the machine
 * @param startTicks when it began, in clock ticks after the machine did
 * @param namespace the number of the namespace that {@code process} is of; 0 if it cannot be read
 * @param user the user whose rights it has
 */
record ProcessIdentity(long process, long startTicks, long namespace, int user) {
    /** The index of the field among those behind the name, the first of which is field 3. */
    private static final int START = 22 - 3;

    /** The index of the effective one among the ids of a line of status. */
    private static final int EFFECTIVE = 2;

    /** Of a process by its folder in /proc; null if it has ended. */
    static @Nullable ProcessIdentity of(Path folder) {
        try {
            String stat = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
            String status = Files.readString(folder.resolve("status"), StandardCharsets.ISO_8859_1);
            String[] processes = line(status, "NSpid:");
            return new ProcessIdentity(
                    Long.parseLong(processes[processes.length - 1]),
                    Long.parseLong(fields[START]),
                    namespace(folder),
                    Integer.parseInt(line(status, "Uid:")[EFFECTIVE]));
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** {@code pid:[4026531836]}: namespaces(7). Of another user's process, it may not be read. */
    private static long namespace(Path folder) {
        try {
            String link = Files.readSymbolicLink(folder.resolve("ns/pid")).toString();
            return Long.parseLong(link.substring(link.indexOf('[') + 1, link.length() - 1));
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }

    /** The words of a line, of which the first is its name. */
    private static String[] line(String status, String name) {
        return status.lines()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElseThrow()
                .split("\\s+");
    }
}
