package io.offhook.linux.lanes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that a process publishes on its {@linkplain LaneBoard boards}, at a moment. Processes of the same user can be read, by root
 * those of all users, in containers, too.
 *
 * @param commands that publish, such as {@code calls}
 * @param lanes in the order in which they began
 * @param unpublished lanes that had no room on a board
 */
public record PublishedLanes(List<String> commands, List<LaneReport> lanes, long unpublished) {
    private static final Path PROC = Path.of("/proc");

    /** Of a process that publishes nothing. */
    public static final PublishedLanes NONE = new PublishedLanes(List.of(), List.of(), 0);

    /**
     * Reads the lanes of a process as they are now. A file that does not belong to the user of the process, was left behind by another
     * one of its number, is cut off, or of another version, counts as none.
     *
     * @param pid its number, in the namespace of this process
     * @return {@link #NONE} if it publishes none, or none that may be read
     */
    public static PublishedLanes of(long pid) {
        Path process = PROC.resolve(Long.toString(pid));
        ProcessIdentity there = ProcessIdentity.of(process);
        if (there == null) {
            return NONE;
        }
        Path root = process.resolve("root");
        Set<Path> folders = LaneFolders.all(Files.isReadable(root) ? root : Path.of("/"), System.getenv());
        return of(there, folders);
    }

    static PublishedLanes of(ProcessIdentity there, Iterable<Path> folders) {
        List<String> commands = new ArrayList<>();
        List<LaneReport> lanes = new ArrayList<>();
        long unpublished = 0;
        for (Path folder : folders) {
            if (!LaneFolders.isOf(folder, there.user())) {
                continue;
            }
            for (Path file : LaneFolders.listed(folder, there.process() + ".*" + LaneBoard.SUFFIX).stream()
                    .sorted()
                    .toList()) {
                BoardBytes bytes = BoardBytes.read(file, there.user());
                if (bytes != null && bytes.isOf(there)) {
                    commands.add(bytes.command());
                    lanes.addAll(bytes.lanes(System.nanoTime()));
                    unpublished += bytes.unpublished();
                }
            }
        }
        return commands.isEmpty() ? NONE : new PublishedLanes(commands, lanes, unpublished);
    }

    /**
     * Finds processes by the command that publishes lanes, such as {@code calls} or {@code forward}. This process is not among them,
     * nor are those in containers.
     *
     * @return their numbers, in ascending order
     */
    public static List<Long> named(String command) {
        Set<Long> found = new TreeSet<>();
        long own = ProcessHandle.current().pid();
        for (Path folder : LaneFolders.all(Path.of("/"), System.getenv())) {
            for (Path file : LaneFolders.listed(folder, "*" + LaneBoard.SUFFIX)) {
                Long pid = process(file, command);
                if (pid != null && pid != own) {
                    found.add(pid);
                }
            }
        }
        return List.copyOf(found);
    }

    /** The number of the process that published a board; null if it is not this command, or has ended. */
    private static @Nullable Long process(Path file, String command) {
        String name = file.getFileName().toString();
        String number = name.substring(0, name.indexOf('.'));
        ProcessIdentity there = number.matches("[1-9][0-9]{0,9}") ? ProcessIdentity.of(PROC.resolve(number)) : null;
        BoardBytes bytes = there == null ? null : BoardBytes.read(file, there.user());
        return bytes != null && bytes.isOf(there) && bytes.command().equals(command) ? Long.valueOf(number) : null;
    }
}
