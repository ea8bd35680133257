package io.offhook.linux.lanes;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where boards are: in a folder that only its owner may open, in a file system that is memory. On a disk, the kernel writes changed
 * pages back now and then, and a lane that writes to such a page meanwhile waits for the disk.
 */
final class LaneFolders {
    static final Path MEMORY = Path.of("/dev/shm");

    private static final Path RUN = Path.of("/run");
    private static final Path USERS = Path.of("/run/user");
    private static final String NAME = "offhook";
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private LaneFolders() {}

    /**
     * The folders in which a process may publish, the best first.
     *
     * @param environment of the process; empty if it became another user
     * @param user the name of the user
     */
    static List<Path> of(Map<String, String> environment, String user) {
        List<Path> folders = new ArrayList<>();
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (runtime.startsWith("/")) {
            folders.add(Path.of(runtime, NAME));
        }
        if (user.equals("root")) {
            folders.add(RUN.resolve(NAME));
        }
        folders.add(MEMORY.resolve(NAME + "-" + user));
        return folders;
    }

    /**
     * Makes the folder, unless it is there.
     *
     * @return whether it is in memory, belongs to this user, and is closed to others
     */
    static boolean prepare(Path folder, int user) {
        try {
            Path above = folder.getParent();
            if (above == null || !Files.getFileStore(above).type().equals("tmpfs")) {
                return false;
            }
            try {
                Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            } catch (FileAlreadyExistsException e) {
                // of an earlier run, or of somebody else
            }
            return isOf(folder, user)
                    && OWNER_ONLY.containsAll(Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** Whether it is a folder, no link to one, and belongs to a user. */
    static boolean isOf(Path folder, int user) {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) && owner(folder) == user;
    }

    /** The user whose file it is; -1 if there is none. A link counts itself. */
    static int owner(Path file) {
        try {
            return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }

    /**
     * All folders in which a process of any user may have published, whoever owns them.
     *
     * @param root of the file system, {@code /proc/PID/root} for that of a container
     * @param environment of this process
     */
    static Set<Path> all(Path root, Map<String, String> environment) {
        Set<Path> folders = new LinkedHashSet<>();
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (runtime.startsWith("/")) {
            folders.add(under(root, Path.of(runtime, NAME)));
        }
        for (Path user : listed(under(root, USERS), "[0-9]*")) {
            folders.add(user.resolve(NAME));
        }
        folders.add(under(root, RUN.resolve(NAME)));
        folders.addAll(listed(under(root, MEMORY), NAME + "-*"));
        return folders;
    }

    private static Path under(Path root, Path absolute) {
        return root.resolve(Path.of("/").relativize(absolute));
    }

    /** What is in a folder, of names that match a pattern; nothing if it cannot be listed. */
    static List<Path> listed(Path folder, String pattern) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, pattern)) {
            all.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
        return found;
    }
}
